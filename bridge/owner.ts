import type { Request, Response } from 'express';
import type { Bridge } from './bridge.js';
import type { StoredJob } from './jobs.js';
import { newId, sha256 } from './seal.js';

const name = 'bridge';

/**
 * Somebody could start a verification and send its page, or the wallet's link on it, to another person. So the browser
 * that opens the page first owns it, by a cookie for this page alone: only there the page shows and leads on.
 */
export async function isOwner(
  { jobs, publicUrl }: Bridge,
  stored: StoredJob,
  req: Request,
  res: Response,
): Promise<boolean | 'read again'> {
  const { owner, id } = stored.job;
  if (owner !== undefined) return owner === sha256(cookieOf(req));
  if (req.method !== 'GET') return false; // a form is sent from the page, so somebody has opened it
  const cookie = newId();
  if ((await jobs.change(stored, { owner: sha256(cookie) })) === undefined) return 'read again';
  const { pathname, protocol } = new URL(`${publicUrl}/verify/${id}`);
  const secure = protocol === 'https:' ? '; Secure' : '';
  res.append('Set-Cookie', `${name}=${cookie}; Path=${pathname}; HttpOnly; SameSite=Lax${secure}`);
  return true;
}

function cookieOf({ headers }: Request): string {
  const cookies = (headers.cookie ?? '').split('; ');
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
