import { types } from 'node:util';
import type { NextFunction, Response } from 'express';
import type { AppRequest } from '../options/options.js';

/**
 * A handler for Express 4 and 5. It returns nothing: Express 5 would forward a rejection a second time, and Express 4
 * would leave it unhandled.
 */
export function asyncHandler(
  handle: (req: AppRequest, res: Response, next: NextFunction) => Promise<void>,
): (req: AppRequest, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    handle(req, res, next).catch((error: unknown) => {
      // next(undefined), next('route') and next('router') mean something else than "failed".
      next(types.isNativeError(error) ? error : new Error('A handler threw no Error', { cause: error }));
    });
  };
}
