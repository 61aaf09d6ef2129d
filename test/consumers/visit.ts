import { createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';

/** Walks through the app's club as a person would; returns what the club shows at the end. Bundled for each consumer. */
export async function visit(url: string): Promise<string> {
  const browser = createBrowser();
  const guarded = await browser.get(`${url}/club/bar`);
  if (guarded.status !== 303) throw new Error(`The guard is open before the start: ${guarded.status}.`);
  const started = await browser.post(`${url}${guarded.location}`);
  if (started.location === undefined)
    throw new Error(`The start returned ${started.status}: ${started.text}`);
  const back = await decide(started.location, 'approve');
  const returned = await browser.get(back);
  const club = await browser.get(returned.location ?? `${url}/club/bar`);
  return `${club.status} ${club.text}`;
}
