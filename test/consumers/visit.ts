import { type Shown, createBrowser } from '../support/browser.js';
import { decide } from '../support/wallet.js';

export { probe } from './probe.js';

/** Walks through the app as a person would; returns what the page shows at the end. Bundled for each consumer. */
export async function visit(url: string, path = '/club/bar', person?: string): Promise<string> {
  const browser = createBrowser();
  const at = (location: string): string => new URL(location, url).href;
  /** GraphQL has no page: it refuses a browser by 406, and answers a script. */
  const open = async (address: string): Promise<Shown> => {
    const shown = await browser.get(address);
    return shown.status === 406 ? await browser.get(address, { accept: 'application/json' }) : shown;
  };
  const closed = await open(`${url}${path}`);
  if (closed.status === 200) throw new Error('The page is open before the start.');
  const { location: start } = closed;
  const started = await browser.post(
    start === undefined ? `${url}/identity/start?returnTo=${path}` : at(start),
  );
  if (started.location === undefined)
    throw new Error(`The start returned ${started.status}: ${started.text}`);
  const back = await decide(started.location, 'approve', person);
  const { location: end } = await browser.get(back);
  const page = await open(end === undefined ? `${url}${path}` : at(end));
  return `${page.status} ${page.text}`;
}
