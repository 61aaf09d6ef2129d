import { types } from 'node:util';
import type { NextFunction, Response } from 'express';
import type { AppRequest } from '../options/options.js';

export type Handle = (req: AppRequest, res: Response, next: NextFunction) => Promise<void> | void;

/**
 * A handler for Express 4 and 5, async or not. It returns nothing: Express 5 would forward a rejection a second time, and
 * Express 4 would leave it unhandled.
 */
export function handler(handle: Handle): (req: AppRequest, res: Response, next: NextFunction) => void {
  return (req, res, next) => {
    // next(undefined), next('route') and next('router') mean something else than "failed".
    const failed = (error: unknown): void => {
      next(types.isNativeError(error) ? error : new Error('A handler threw no Error', { cause: error }));
    };
    try {
      handle(req, res, next)?.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
