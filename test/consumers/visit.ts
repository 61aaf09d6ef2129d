import { createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';

export { probe } from './probe.js';

/** Walks through the app as a person would; returns what the page shows at the end. Bundled for each consumer. */
export async function visit(url: string, path = '/club/bar', person?: string): Promise<string> {
  const browser = createBrowser();
  const at = (location: string): string => new URL(location, url).href;
  const closed = await browser.get(`${url}${path}`);
  if (closed.status === 200) throw new Error('The page is open before the start.');
  const { location: start } = closed;
  const started = await browser.post(
    start === undefined ? `${url}/identity/start?returnTo=${path}` : at(start),
  );
  if (started.location === undefined)
    throw new Error(`The start returned ${started.status}: ${started.text}`);
  const back = await decide(started.location, 'approve', person);
  const { location: end } = await browser.get(back);
  const page = await browser.get(end === undefined ? `${url}${path}` : at(end));
  return `${page.status} ${page.text}`;
}
