import { EventEmitter } from 'node:events';
import type { Express, Response } from 'express';
import { html } from '../../../example-app/pages/html.js';

// Routes that a test puts in front of the app.

/** A page with a form that posts elsewhere. */
export function foreignForm(app: Express): void {
  app.get('/foreign', (req, res) => {
    const { to } = req.query as { to: string };
    res.send(
      html`<link rel="icon" href="/icon.svg" />
        <form method="post" action="${to}"><button>Send</button></form>`.markup,
    );
  });
}

/** Its address on another site: the same server, seen as 127.0.0.1 in place of `localhost`. */
export function foreignFormAt(url: string, to: string): string {
  return `${url.replace('localhost', '127.0.0.1')}/foreign?to=${encodeURIComponent(to)}`;
}

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
  page: (res) => res.send('<!doctype html><title>Shop</title><h1>Welcome to the shop</h1>'),
  never: () => {}, // until the sandbox has had enough
};
