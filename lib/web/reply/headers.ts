import type { Response } from 'express';

/** What holds for every answer of the kit: it is not stored, framed or sniffed, and its address is told nobody. */
export function protect(res: Response): void {
  res.set({
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
}
