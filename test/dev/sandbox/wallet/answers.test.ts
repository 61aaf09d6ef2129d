import { expect, it } from '@jest/globals';
import { linkIn, openRequest, respond } from '../../../../lib/dev/sandbox/wallet/wallet.js';
import { startWalletApp, walletWorld } from '../../../support/wallets.js';

const shared = walletWorld();

it("the sandbox's wallet answers an app that asks wallets itself", async () => {
  const [sandbox, access] = [shared.sandbox(), shared.access()];
  const app = await startWalletApp({ sandbox }, { access });
  const { browser, links, opened } = await app.asked('link');
  const { signal } = new AbortController();
  const link = linkIn(new URL(links.link ?? '').searchParams);
  const request = await openRequest(link, access.anchors, signal);
  const back = await respond(request, await opened.present(), signal);
  expect((await browser.get(back ?? '')).status).toBe(303);
  expect(app.events.at(-1)?.type).toBe('flow.confirmed');
});
