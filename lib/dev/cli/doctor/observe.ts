import { randomUUID } from 'node:crypto';
import { IdentityError } from '../../../errors.js';
import { secureUrl } from '../../../internal/urls.js';
import { signatureOf } from '../../../service/wallets/signature.js';
import { type Ask, type DataOfPage, dataOfPage } from '../../sandbox/simulator/data-addresses.js';
import { type HttpAnswer, type HttpQuestion, sendRequest } from './http.js';
import { type Inside, lookInside } from './load-in-process.js';
import type { Settings } from './settings.js';
import { publishedFor, type Published } from './trust-facts.js';
import type { FlowStore } from '../../../types/store.js';
import { withTimeout } from '../../../internal/timeouts.js';
import { isMemoryStore } from '../../../stores/memory.js';

/** A state of another form than the kit's: it can belong to no flow, is answered with 400, and is no event. */
const noState = 'state=pidgate-doctor&error=pidgate_doctor&error_description=A+question+of+pidgate+doctor';

/** A wallet's answer is as long as this: what a proxy refuses for its length, it refuses here too. */
const asLong = `&padding=${'A'.repeat(32 * 1024)}`;

/** Asks everything. Nothing of it starts a verification, runs a hook or leaves anything behind. */
export async function observe(
  settings: Settings,
  forwarded: Readonly<Record<string, string>>,
  inside: Inside | undefined,
): Promise<Seen> {
  const { paths, address } = settings;
  const prefix = address.pathname.replace(/\/+$/, '');
  const at = async (path: string, { headers, ...question }: HttpQuestion = {}): Promise<HttpAnswer> =>
    await sendRequest(new URL(prefix + path, address), {
      ...question,
      headers: { ...forwarded, ...headers },
    });
  const ask: Ask = async (path, headers) => {
    const answer = await at(path, { headers });
    if (answer.kind === 'silence') return undefined;
    const type = answer.headers['content-type'] ?? null;
    const powered = String(answer.headers['x-powered-by'] ?? '');
    const get = (name: string): string | null => (name === 'content-type' ? type : powered);
    return { status: answer.status, headers: { get }, text: answer.body };
  };
  const json = { accept: 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...json };
  const heard = inside?.listen();
  const body = settings.asksWallets ? noState + asLong : noState;
  const began = Date.now();
  const page = await at(`${paths.start}?returnTo=%2F`, { headers: { accept: 'text/html' } });
  const pageAt = (began + Date.now()) / 2;
  const facts = {
    settings,
    page,
    post: await at(paths.start, { method: 'POST', headers: json }),
    status: await at(`${paths.status}?flow=pidgate-doctor`, { headers: json }),
    callback: await at(paths.callback, { method: 'POST', headers: form, body }),
    ...(settings.asksWallets && {
      request: await at(`${paths.request}?state=pidgate-doctor`, { headers: json }),
    }),
    ...(settings.page !== undefined && { guarded: await guardedPage(settings.page, ask) }),
  };
  heard?.stop();
  const asked = Date.now();
  const service = settings.asksWallets ? undefined : await askService(settings);
  const serviceAt = (asked + Date.now()) / 2;
  const signs =
    settings.access && (await trySignature(settings.access, inside?.config?.limits.requestTimeout));
  const now = new Date(settings.asksWallets ? pageAt : serviceAt);
  const store = inside?.config?.store;
  return {
    ...facts,
    now,
    ...(service !== undefined && { service }),
    ...(signs !== undefined && { signs }),
    published: await publishedFor(settings.trust),
    ...(inside !== undefined && { inside: await lookInside(inside, at) }),
    ...(inside?.config !== undefined && { store: await storeFacts(store) }),
  };
}

/** Only a function can be wrong here: a key was compared with its certificate when the factory was made. */
async function trySignature(
  access: NonNullable<Settings['access']>,
  timeout: number = patience,
): Promise<string> {
  try {
    for (const one of access) await signatureOf(Buffer.from('pidgate doctor'), one, timeout);
    return 'good';
  } catch (error) {
    return error instanceof IdentityError ? error.message : 'it failed.';
  }
}

/** Whether a page, or its data at another address, is open to somebody who has verified nothing. */
async function guardedPage(page: string, ask: Ask): Promise<DataOfPage> {
  const isOpen = (await ask(page, { accept: 'text/html' }))?.status === 200;
  return isOpen ? { open: page } : await dataOfPage(page, ask, process.cwd());
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
    return await sendRequest(url, { method: 'POST', headers, body: '{}' });
  } catch {
    return { kind: 'silence', why: 'the function apiKey failed' };
  }
}

/** All that was seen. */
export interface Seen {
  readonly settings: Settings;
  /** When the service answered; of an app that asks wallets itself, when its page came. */
  readonly now: Date;
  /** `GET start`, as the service's customer opens it. */
  readonly page: HttpAnswer;
  /** `POST start` of a program that is no page of the app: refused by the kit, without a flow. */
  readonly post: HttpAnswer;
  readonly status: HttpAnswer;
  /** `POST callback` with a state that no kit makes. */
  readonly callback: HttpAnswer;
  /** Only where a guarded page was named. */
  readonly guarded?: DataOfPage;
  /** `POST /prove` without a question; absent where address or key is not known, or the key must not go there. */
  readonly service?: HttpAnswer;
  /** Only of an app that asks wallets itself: what comes at the address of its requests, of a flow that never was. */
  readonly request?: HttpAnswer;
  /** Whether the access key signs: `good`, or why not. Only with the entry loaded. */
  readonly signs?: string;
  readonly published: readonly Published[];
  /** Only with the entry loaded. */
  readonly inside?: Inside;
  readonly store?: StoreFacts;
}

/** How the flow store took one record of the doctor's own. */
export interface StoreFacts {
  readonly memory: boolean;
  /** The call that failed, or that did not do what the contract says. */
  readonly failed?: 'create' | 'read' | 'replace' | 'delete';
}

const patience = 5_000;
const shortly = 60_000;

/** Without a store of its own, an app keeps its flows in memory. */
async function storeFacts(store: FlowStore | undefined): Promise<StoreFacts> {
  if (store === undefined || isMemoryStore(store)) return { memory: true };
  const id = `doctor-${randomUUID()}`;
  const steps = [
    ['create', async () => await store.create(id, 'a', shortly)],
    ['read', async () => (await store.read(id))?.value === 'a'],
    ['replace', async () => await replaces(store, id)],
    ['delete', async () => await removes(store, id)],
  ] as const;
  for (const [failed, step] of steps) {
    const done = await withTimeout(patience, step).catch(() => false);
    if (!done) return { memory: false, failed };
  }
  return { memory: false };
}

/** Once, and not a second time over the same version. */
async function replaces(store: FlowStore, id: string): Promise<boolean> {
  const version = (await store.read(id))?.version ?? 0;
  const first = await store.replace(id, version, 'b', shortly);
  return first && !(await store.replace(id, version, 'c', shortly));
}

async function removes(store: FlowStore, id: string): Promise<boolean> {
  await store.delete(id);
  return (await store.read(id)) === undefined;
}
