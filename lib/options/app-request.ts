import type { Request } from 'express';

// The hooks see any request of the app, whatever its route's parameters are called.
// oxlint-disable-next-line typescript/no-explicit-any
export type AppRequest = Request<any, any, any, any>;
