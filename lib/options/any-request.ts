import type { Request } from 'express';

/** A request of the app, whatever the parameters of its route are called. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AppRequest = Request<any, any, any, any>;
