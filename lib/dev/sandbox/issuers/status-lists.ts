import { deflateSync } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import type { Clock } from '../../../types/json.js';
import type { PlantedFault } from './faults.js';

/** Signs the content of a list token. */
export type SignList = (claims: Record<string, unknown>) => Promise<string>;

const size = 1024;
const lifetime = 60;
const lists = { current: 0x00, revoked: 0xff } as const;

/** A place in a status list: one of good credentials, one of revoked ones, and one that nobody can fetch. */
export function encodeStatus(
  url: string,
  fault: PlantedFault | undefined,
): { status_list: { idx: number; uri: string } } {
  const name = fault === 'revoked' ? 'revoked' : fault === 'status_unreachable' ? 'unreachable' : 'current';
  return { status_list: { idx: Math.floor(Math.random() * size), uri: `${url}/${name}` } };
}

/** Serves the lists below a path (Token Status List, section 8). */
export function statusRoute(url: string, sign: SignList, clock: Clock): Router {
  const router = Router();
  for (const [name, filled] of Object.entries(lists)) {
    router.get(`/${name}`, (_req: Request, res: Response, next) => {
      const iat = Math.floor(clock().getTime() / 1000);
      const lst = deflateSync(Buffer.alloc(size / 8, filled)).toString('base64url');
      const status_list = { bits: 1, lst };
      sign({ sub: `${url}/${name}`, iat, exp: iat + lifetime, ttl: lifetime, status_list }).then((token) => {
        res.set('Content-Type', 'application/statuslist+jwt').end(token);
      }, next);
    });
  }
  router.get('/unreachable', (_req, res) => {
    res.status(503).type('text/plain').send('Out of order: this is the scenario status_unreachable.\n');
  });
  return router;
}
