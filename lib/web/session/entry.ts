import type { FlowEntry } from '../../flow/flow.js';
import type { Receipt } from '../../protocol/receipt.js';

/** What the kit keeps in a session, under one key for each factory. */
export interface OwnData {
  readonly flows: readonly OwnFlow[];
  readonly kept: Readonly<Record<string, KeptRecord>>;
}

/** A flow that this session owns. The last finished one stays for a while, so that its address may be opened again. */
export interface OwnFlow extends FlowEntry {
  readonly finished?: true;
}

/** What was kept of a result. */
export interface KeptRecord {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: number;
  readonly receipt: Receipt;
  readonly kept: unknown;
  readonly until: number;
  /** The digest of what was asked. */
  readonly question: string;
  /** A digest of who was logged in. */
  readonly subject?: string;
}

/** A flow that was verified late has its deadline moved by up to this. */
const lateMs = 2 * 60_000;

export function keyOf(path: string): string {
  return `pidgate ${path}`;
}

/**
 * The kit's data are one text in the session: express-session prints, reads and hashes the whole of it for every request
 * of the app, and a text costs it a third of what its members would. It has two lines, what was kept and the flows: a
 * guarded page reads the first alone.
 */
export function readOwn(data: SessionData, key: string): OwnData {
  const text = textOf(data, key);
  const [keptText = '', flowsText = ''] = text.split('\n');
  return { flows: parsed(flowsText, []), kept: parsed(keptText, {}) };
}

export function writeOwn({ flows, kept }: OwnData): string {
  return `${JSON.stringify(kept)}\n${JSON.stringify(flows)}`;
}

/** What was kept, parsed once for a guard and the page behind it. */
export function readKept(data: SessionData & Remembering, key: string): OwnData['kept'] {
  const text = textOf(data, key);
  const before = data[remembered];
  if (before?.text === text) return before.kept;
  const kept: OwnData['kept'] = parsed(text.slice(0, Math.max(0, text.indexOf('\n'))), {});
  data[remembered] = { text, kept };
  return kept;
}

type SessionData = Readonly<Record<string, unknown>>;

/** No session store writes a symbol. */
const remembered = Symbol('pidgate kept');

interface Remembering {
  [remembered]?: { readonly text: string; readonly kept: OwnData['kept'] };
}

function textOf(data: SessionData, key: string): string {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof text === 'string' ? text : '';
}

function parsed<T>(text: string, otherwise: T): T {
  try {
    return text === '' ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise; // nothing is kept in a broken text; the parser's error would quote it
  }
}

/** Adds an entry; what has expired leaves, of the unfinished ones the oldest past the limit, of the finished all but one. */
export function withFlow(own: OwnData, entry: OwnFlow, now: number, limit: number): OwnData {
  const alive = liveFlows(own, now).filter((it) => it.id !== entry.id);
  const unfinished = alive.filter((it) => !it.finished);
  const finished = alive.filter((it) => it.finished).slice(-1);
  return {
    flows: [...finished, ...[...unfinished, entry].slice(-limit)],
    kept: liveKept(own, now),
  };
}

/** Marks the flow as finished and stores what was kept of it; what has run out leaves. */
export function withKept(
  own: OwnData,
  flow: string,
  request: string,
  kept: KeptRecord,
  now: number,
): OwnData {
  return {
    flows: own.flows
      .filter((it) => it.id === flow || !it.finished)
      .map((it) => (it.id === flow ? { ...it, finished: true as const } : it)),
    kept: { ...liveKept(own, now), [request]: kept },
  };
}

/** The flows that may still come back. */
export function liveFlows({ flows }: OwnData, now: number): readonly OwnFlow[] {
  return flows.filter((it) => it.expiresAt + lateMs > now);
}

function liveKept({ kept }: OwnData, now: number): OwnData['kept'] {
  return Object.fromEntries(Object.entries(kept).filter(([, { until }]) => until > now));
}
