import type { RequestHandler } from 'express';
import { scriptHash } from '../pages/script.js';
import { styleHash } from '../pages/style.js';

/** No form-action: Chromium applies it to the redirect that answers the form, and that leads to the app. */
const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  `script-src '${scriptHash}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function securityHeaders(): RequestHandler {
  return (_req, res, next) => {
    res.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin', // under no-referrer the form would send Origin: null
      'Cache-Control': 'no-store',
    });
    next();
  };
}
