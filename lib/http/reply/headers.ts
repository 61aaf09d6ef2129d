import type { Response } from 'express';

/** What holds for every answer of the kit: it is not stored, framed or sniffed, and its address is told nobody. */
export function protect(res: Response): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'DENY');
}
