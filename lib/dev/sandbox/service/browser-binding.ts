import { timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { newId } from './ids.js';
import type { Job } from './jobs.js';
import { hasWalletLeg } from './request-object.js';

// Somebody could start a flow, send the page to another person, and wait for their answer on a page of his own. So
// the browser that opens the page first is the only one that is taken back. A link on one device needs none of this:
// there the way back goes to the wallet, and no page ever has it.

const name = 'visitor';

/** Whether this browser may see the page. The first one to open it is remembered. */
export function admit(req: Request, res: Response, job: Job): boolean {
  if (!isBound(job)) return true;
  if (job.visitor !== undefined) return isVisitor(req, job);
  if (req.method === 'HEAD') return true;
  job.visitor = newId();
  res.append(
    'Set-Cookie',
    `${name}=${job.visitor}; Path=/wallet/${job.id}; HttpOnly; SameSite=Lax${req.secure ? '; Secure' : ''}`,
  );
  return true;
}

export function isVisitor({ headers }: Request, job: Job): boolean {
  if (!isBound(job)) return true;
  const { visitor = '' } = job;
  const sent = (headers.cookie ?? '').split('; ').find((it) => it.startsWith(`${name}=`));
  const value = Buffer.from(sent?.slice(name.length + 1) ?? '');
  const own = Buffer.from(visitor);
  return visitor !== '' && value.length === own.length && timingSafeEqual(value, own);
}

function isBound({ request, leg }: Job): boolean {
  return hasWalletLeg(request) && leg?.way !== 'link';
}
