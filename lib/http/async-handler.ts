import { types } from 'node:util';
import type { NextFunction, Response } from 'express';
import { configInvalid } from '../errors.js';
import type { AppRequest } from '../options/options.js';

/**
 * A handler for Express 4 and 5. It returns nothing: Express 5 would forward a rejection a second time, and Express 4
 * would leave it unhandled.
 */
export function asyncHandler(
  handle: (req: AppRequest, res: Response, next: NextFunction) => Promise<void>,
): (req: AppRequest, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    // Of a request that is not Express's, whatever follows would fail in words that name no cause.
    if ((req.app as unknown) === undefined) {
      next(configInvalid(notExpress));
      return;
    }
    handle(req, res, next).catch((error: unknown) => {
      // next(undefined), next('route') and next('router') mean something else than "failed".
      next(types.isNativeError(error) ? error : new Error('A handler threw no Error', { cause: error }));
    });
  };
}

const notExpress =
  'This is not Express: the request has no app. In Fastify, use @fastify/express, and not @fastify/middie.';
