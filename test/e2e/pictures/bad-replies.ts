import { EventEmitter } from 'node:events';
import type { Express, Response } from 'express';

/** Emits `delivered` for each callback that came. */
export const deliveries = new EventEmitter();

/** What apps answer to a callback by mistake, each at `/reply/<kind>`. */
export function badReplies(app: Express): void {
  app.post('/reply/:kind', (req, res) => {
    replies[req.params.kind]?.(res);
    deliveries.emit('delivered');
  });
}

const replies: Readonly<Record<string, (res: Response) => void>> = {
  'not-found': (res) => res.status(404).send('Cannot POST /reply/not-found'),
  'server-error': (res) => res.status(500).send('<h1>TypeError: Cannot read properties of undefined</h1>'),
  forbidden: (res) => res.status(403).send('Forbidden: invalid csrf token'),
  redirect: (res) => {
    res.redirect('/log-in');
  },
  page: (res) => res.send('<!doctype html><title>Shop</title><h1>Welcome to the shop</h1>'),
  'not-json': (res) => res.type('json').send('{ redirect_uri: '),
  'no-redirect-uri': (res) => res.json({ redirectUri: 'https://example.org' }),
  relative: (res) => res.json({ redirect_uri: '/identity/return' }),
  'too-large': (res) => res.json({ redirect_uri: 'x'.repeat(70_000) }),
  'not-utf8': (res) => res.type('json').send(Buffer.from([0xff, 0xfe])),
  never: () => {}, // until the sandbox has had enough
};
