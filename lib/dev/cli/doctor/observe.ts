import { secureUrl } from '../../../internal/urls.js';
import { type HttpAnswer, type Question, ask } from './http.js';
import type { Facts } from './observations.js';
import { type Inside, lookInside } from './load-in-process.js';
import type { Settings } from './settings.js';
import { storeFacts } from './store-facts.js';
import { publishedFor } from './trust-facts.js';

/** A state of another form than the kit's: it can belong to no flow, is answered with 400, and is no event. */
const noState = 'state=pidgate-doctor&error=pidgate_doctor&error_description=A+question+of+pidgate+doctor';

/** Asks everything. Nothing of it starts a verification, runs a hook or leaves anything behind. */
export async function gather(
  settings: Settings,
  forwarded: Readonly<Record<string, string>>,
  inside: Inside | undefined,
): Promise<Facts> {
  const { paths, address } = settings;
  const prefix = address.pathname.replace(/\/+$/, '');
  const at = async (path: string, { headers, ...question }: Question = {}): Promise<HttpAnswer> =>
    await ask(new URL(prefix + path, address), { ...question, headers: { ...forwarded, ...headers } });
  const json = { accept: 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...json };
  const heard = inside?.listen();
  const facts = {
    settings,
    now: new Date(),
    page: await at(`${paths.start}?returnTo=%2F`, { headers: { accept: 'text/html' } }),
    post: await at(paths.start, { method: 'POST', headers: json }),
    status: await at(`${paths.status}?flow=pidgate-doctor`, { headers: json }),
    callback: await at(paths.callback, { method: 'POST', headers: form, body: noState }),
  };
  heard?.stop();
  const service = await askService(settings);
  const store = inside?.config?.store;
  return {
    ...facts,
    ...(service !== undefined && { service }),
    published: await publishedFor(settings.trust),
    ...(inside !== undefined && { inside: await lookInside(inside, at) }),
    ...(inside?.config !== undefined && { store: await storeFacts(store) }),
  };
}

/** A body without a question cannot start anything. The key goes to the configured address, over https, and no further. */
async function askService({ baseUrl, apiKey }: Settings): Promise<HttpAnswer | undefined> {
  const base = secureUrl(baseUrl, true);
  if (base === undefined || apiKey === undefined) return undefined;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/prove`;
  try {
    const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json',
    };
    return await ask(url, { method: 'POST', headers, body: '{}' });
  } catch {
    return { kind: 'silence', why: 'the function apiKey failed' };
  }
}
