import type { Express, Request, Response } from 'express';
import { type Html, html } from '../../../bridge/pages/html.js';
import { sendPage } from '../../../bridge/pages/layout.js';
import type { ForeignWallet, Opened } from '../../support/foreign-wallet.js';

/**
 * Pages of a wallet with Erika Mustermann's PID: what waits for it, and yes or no to that. Of the requests of the
 * verifier the first is the bridge's own, at its start, and the newest is the one on the person's page.
 */
export function walletPages(app: Express, wallet: ForeignWallet, waiting: () => readonly string[]): void {
  const [opened, byLink] = [new Map<string, Opened>(), new Map<string, Opened>()];

  app.get('/wallet', async (req: Request, res: Response) => {
    const link = new URL(req.originalUrl, `http://${req.get('host') ?? ''}`);
    if (!link.searchParams.has('request_uri')) {
      show(res, "Erika's wallet", list(waiting().slice(1).at(-1)));
      return;
    }
    const request = byLink.get(link.href) ?? (await wallet.open(link.href)); // the verifier hands it out once
    byLink.set(link.href, request);
    opened.set(request.request.state, request);
    const form = html`<p>Somebody asks for: <strong>${request.asked.join(', ')}</strong>.</p>
      <form method="post" action="/wallet/${request.request.state}">
        <p><button class="main" name="share" value="yes">Share</button></p>
        <button name="share" value="no">Do not share</button>
      </form>`;
    show(res, "Erika's wallet", form);
  });

  app.post('/wallet/:state', async (req: Request, res: Response) => {
    const request = opened.get(String(req.params['state']));
    const { share } = (req.body ?? {}) as { share?: unknown };
    if (request === undefined) throw new Error('No such request.');
    const reply = share === 'yes' ? await request.send(await request.respond()) : await request.decline();
    const { redirect_uri: back } = reply.body;
    if (back !== undefined) res.redirect(303, back);
    else show(res, 'Done', html`<p>Go back to the page that asked: it goes on by itself.</p>`);
  });
}

const list = (link: string | undefined): Html =>
  link === undefined
    ? html`<p>Nobody asks for anything. Begin in the app, then load this page again.</p>`
    : html`<p><a href="${link}">Look at the request</a></p>`;

function show(res: Response, title: string, body: Html): void {
  sendPage(res, 200, { lang: 'en', title, body: () => body });
}
