import { createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';

/** Walks through the app as a person would; returns what the page shows at the end. Bundled for each consumer. */
export async function visit(url: string, path = '/club/bar'): Promise<string> {
  const browser = createBrowser();
  const closed = await browser.get(`${url}${path}`);
  if (closed.status === 200) throw new Error('The page is open before the start.');
  const started = await browser.post(`${url}${closed.location ?? `/identity/start?returnTo=${path}`}`);
  if (started.location === undefined)
    throw new Error(`The start returned ${started.status}: ${started.text}`);
  const back = await decide(started.location, 'approve');
  const returned = await browser.get(back);
  const page = await browser.get(returned.location ?? `${url}${path}`);
  return `${page.status} ${page.text}`;
}
