import type { FlowEntry } from '../../flow/start.js';
import type { Receipt } from '../../protocol/receipt.js';

/** What the kit keeps in a session, under one key for each factory. */
export interface OwnData {
  readonly flows: readonly OwnFlow[];
  readonly kept: Readonly<Record<string, KeptRecord>>;
}

/** A flow that this session owns. A finished one stays for a while, so that its address may be opened again. */
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
  /** A digest of who was logged in. */
  readonly subject?: string;
}

/** A flow that was verified late has its deadline moved by up to this. */
const lateMs = 2 * 60_000;

export function keyOf(path: string): string {
  return `pidgate ${path}`;
}

export function readOwn(data: Readonly<Record<string, unknown>>, key: string): OwnData {
  const { flows = [], kept = {} } = (Object.hasOwn(data, key) ? data[key] : {}) as Partial<OwnData>;
  return { flows, kept };
}

/** Adds an entry; what is over leaves, and of the unfinished ones (and of the finished) the oldest past the limit. */
export function withFlow(own: OwnData, entry: OwnFlow, now: number, limit: number): OwnData {
  const alive = own.flows.filter((it) => it.id !== entry.id && it.expiresAt + lateMs > now);
  const unfinished = alive.filter((it) => !it.finished);
  const finished = alive.filter((it) => it.finished).slice(-limit);
  return { ...own, flows: [...finished, ...[...unfinished, entry].slice(-limit)] };
}

/** Marks the flow as finished and stores what was kept of it. */
export function withKept(own: OwnData, flow: string, request: string, kept: KeptRecord): OwnData {
  return {
    flows: own.flows.map((it) => (it.id === flow ? { ...it, finished: true as const } : it)),
    kept: { ...own.kept, [request]: kept },
  };
}

export function withoutKept(own: OwnData, requests: readonly string[]): OwnData {
  const kept = Object.entries(own.kept).filter(([request]) => !requests.includes(request));
  return { ...own, kept: Object.fromEntries(kept) };
}
