import type { Request, Response } from 'express';
import type { Bridge } from './bridge.js';
import type { StoredJob } from './jobs.js';
import { newId, sha256 } from './seal.js';

/**
 * Whose page it is: of the browser that asks, or of another one. Or the browser has a cookie now and must ask with it;
 * or it was asked to, and keeps none.
 */
export type Owner = 'this' | 'another' | 'asks again' | 'keeps no cookies';

/**
 * Somebody could start a verification and send its page, or the wallet's link on it, to another person. So the browser
 * that opens the page first owns it, by a cookie for this page alone: only there the page shows and leads on. The cookie
 * comes first, and only a request that brings it claims: so a reply that is lost, a process that is killed and a program
 * that only looks ahead lock nobody out.
 */
export async function ownerOf(
  { jobs, publicUrl }: Bridge,
  stored: StoredJob,
  req: Request,
  res: Response,
): Promise<Owner | 'read again'> {
  const { owner, id } = stored.job;
  const { pathname, protocol } = new URL(`${publicUrl}/verify/${id}`);
  const isSecure = protocol === 'https:';
  // With this prefix browsers take it from this host alone, and not from another one of the same site. It wants the
  // path `/`, so each job has a name of its own.
  const name = `${isSecure ? '__Host-' : ''}bridge-${sha256(id).slice(0, 8)}`;
  const cookie = cookieOf(req, name);
  if (owner !== undefined) return owner === sha256(cookie) ? 'this' : 'another';
  if (req.method !== 'GET') return 'another'; // a form is sent from the page, so somebody has opened it
  if (cookie !== '') {
    return (await jobs.change(stored, { owner: sha256(cookie) })) === undefined ? 'read again' : 'this';
  }
  if (req.query['again'] !== undefined) return 'keeps no cookies';
  const where = isSecure ? 'Path=/; Secure' : `Path=${pathname}`;
  res.append('Set-Cookie', `${name}=${newId()}; ${where}; Max-Age=600; HttpOnly; SameSite=Lax`);
  return 'asks again';
}

function cookieOf({ headers }: Request, name: string): string {
  const cookies = (headers.cookie ?? '').split('; ');
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}
