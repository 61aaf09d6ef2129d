import type { Express } from 'express';
import { html } from '../../../example-app/pages/html.js';

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
