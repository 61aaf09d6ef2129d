import { type FlowEntry, minReturnMs } from '../../flow/flow.js';
import type { Receipt } from '../../service/receipt.js';

/** What the kit keeps in a session, under one key for each factory. */
export interface KitSessionData {
  readonly flows: readonly SessionFlow[];
  readonly kept: Readonly<Record<string, KeptRecord>>;
}

/** A flow that this session owns. The last finished one stays for a while, so that its address can be opened again. */
export interface SessionFlow extends FlowEntry {
  /** The language that the person chose. */
  readonly lang?: string | undefined;
  /** Where it led. */
  readonly destination?: string;
}

/** What was kept of a result. */
export interface KeptRecord {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: number;
  readonly receipt: Receipt;
  readonly kept: unknown;
  /** Its own end, and when it was released: it counts until that end, or the app's current one if earlier. */
  readonly until: number;
  readonly releasedAt: number;
  readonly question: string;
  /** The origin it was verified under: it counts while the app lists that. */
  readonly origin: string;
  /** A digest of who was logged in. */
  readonly subject?: string;
}

export const keyOf = (path: string): string => `pidgate ${path}`;

/**
 * The kit's data are one text in the session: express-session prints and hashes the whole session twice for every request
 * of the app, which takes a third less time for a text than for its members.
 */
export const writeOwn = (data: KitSessionData): string => JSON.stringify(data);

/** What cannot be read counts as nothing, and no error quotes it. */
export const readOwn = (data: SessionData, key: string): KitSessionData => parseOwn(textOf(data, key));

/** What was kept, read once for a guard and the page behind it: a second time would cost 2 % of that page. */
export function readKept(
  data: SessionData & { [memoized]?: { readonly text: string; readonly kept: KitSessionData['kept'] } },
  key: string,
): KitSessionData['kept'] {
  const text = textOf(data, key);
  const before = data[memoized];
  if (before?.text === text) return before.kept;
  const { kept } = parseOwn(text);
  data[memoized] = { text, kept };
  return kept;
}

type SessionData = Readonly<Record<string, unknown>>;

/** No session store writes a symbol. */
const memoized = Symbol('pidgate kept');

function textOf(data: SessionData, key: string): string {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  // Where there is nothing, a mistake that parsing throws would cost a new visitor as much as an encryption.
  return typeof text === 'string' ? text : '{"flows":[],"kept":{}}';
}

function parseOwn(text: string): KitSessionData {
  try {
    const { flows, kept } = JSON.parse(text) as { flows: unknown[]; kept: object };
    return {
      flows: flows.filter(isFlow),
      // What keep returned as undefined is not in the text.
      kept: Object.fromEntries(Object.entries(kept).filter(isKept)),
    };
  } catch {
    return { flows: [], kept: {} };
  }
}

/** Another version of the kit may have written it. */
function isFlow(value: unknown): value is SessionFlow {
  const flow = value as Record<keyof SessionFlow, unknown>;
  const { id, state, request, expiresAt, destination = 'https:' } = flow;
  const hasNames = [id, state, request].every((name) => typeof name === 'string');
  return hasNames && typeof expiresAt === 'number' && /^https?:/.test(String(destination));
}

function isKept(entry: [string, unknown]): entry is [string, KeptRecord] {
  const record = entry[1] as Record<keyof KeptRecord, unknown>;
  const hasTimes = [record.verifiedAt, record.until, record.releasedAt].every(
    (time) => typeof time === 'number',
  );
  const hasTexts = [record.question, record.origin].every((text) => typeof text === 'string');
  return hasTimes && hasTexts && typeof record.receipt === 'object';
}

/** Adds an entry; what has expired leaves, of the unfinished ones the oldest past the limit, of the finished all but one. */
export function withFlow(
  data: KitSessionData,
  entry: SessionFlow,
  now: number,
  limit: number,
): KitSessionData {
  // A flow may still come back for a while after its end.
  const alive = data.flows.filter(({ id, expiresAt }) => expiresAt + minReturnMs > now && id !== entry.id);
  const unfinished = alive.filter(({ destination }) => destination === undefined);
  const finished = alive.filter(({ destination }) => destination !== undefined).slice(-1);
  return { flows: [...finished, ...[...unfinished, entry].slice(-limit)], kept: data.kept };
}

/** Marks the flow as finished, which leads there, and stores what was kept of it. */
export function withKept(
  data: KitSessionData,
  flow: { readonly id: string; readonly destination: string },
  request: string,
  kept: KeptRecord,
): KitSessionData {
  return {
    flows: data.flows
      .filter(({ id, destination }) => id === flow.id || destination === undefined)
      .map((entry) => (entry.id === flow.id ? { ...entry, destination: flow.destination } : entry)),
    kept: { ...data.kept, [request]: kept },
  };
}

/** What was kept and has not run out. Of a question that only another version of the app asks, its own end counts. */
export function liveKept(
  { kept }: KitSessionData,
  now: number,
  requests: ReadonlyMap<string, { readonly keepFor: number }>,
): KitSessionData['kept'] {
  const live = Object.entries(kept).filter(
    ([name, record]) => endOf(record, requests.get(name)?.keepFor ?? Infinity) > now,
  );
  return Object.fromEntries(live);
}

/** When a record stops counting: a shorter `keepFor` applies to what was kept before, a longer one does not. */
export const endOf = ({ until, releasedAt }: KeptRecord, keepFor: number): number =>
  Math.min(until, releasedAt + keepFor);
