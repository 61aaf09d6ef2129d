import type { ServerResponse } from 'node:http';
import type { IdentityVerification } from '../../identity-verification.js';
import type { AppRequest } from '../../options/options.js';

const mark = 'pidgate-afresh';

/** The address of a start that forgets first what somebody else has proved in the same browser. */
export function afresh(start: string): string {
  return `${start}${start.includes('?') ? '&' : '?'}${mark}`;
}

type Handle = (req: AppRequest, res: ServerResponse, next: unknown) => unknown;

/** Has an app in development take such an address; it then leads to the same one without the mark. */
export function letStartAfresh(router: IdentityVerification): void {
  const whole: object = router;
  const its = whole as { handle: Handle };
  const { handle } = its;
  its.handle = (req, res, next) => {
    const [, start] =
      new RegExp(`/([^/]*)[?&]${mark}$`).exec(req.method === 'GET' ? req.originalUrl : '') ?? [];
    if (start === undefined) return handle.call(router, req, res, next);
    return router
      .forget(req)
      .catch(() => undefined) // what keeps the kit from forgetting, it tells at the start itself
      .then(() => res.writeHead(303, { location: `./${start}` }).end());
  };
}
