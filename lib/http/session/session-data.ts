import type { FlowEntry } from '../../flow/flow.js';
import type { Receipt } from '../../service/receipt.js';

/** What the kit keeps in a session, under one key for each factory. */
export interface KitSessionData {
  readonly flows: readonly SessionFlow[];
  readonly kept: Readonly<Record<string, KeptRecord>>;
}

/** A flow that this session owns. The last finished one stays for a while, so that its address may be opened again. */
export interface SessionFlow extends FlowEntry {
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
  /** Its own end, and when it was released: it counts until the earlier of the end and what the app sets now. */
  readonly until: number;
  readonly releasedAt: number;
  /** The digest of what was asked. */
  readonly question: string;
  /** Under which origin: it counts while the app lists that. */
  readonly origin: string;
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
 * of the app, and a text costs it a third of what its members would. Each thing is a line of words without a quotation
 * mark, which the session would have to escape. Only what the app keeps, the last word of its line, is JSON.
 */
export function writeOwn({ flows, kept }: KitSessionData): string {
  return [...Object.entries(kept).map(keptLine), ...flows.map(flowLine)].join('\n');
}

/** A line that cannot be read counts as nothing, and no error quotes it. */
export function readOwn(data: SessionData, key: string): KitSessionData {
  const text = textOf(data, key);
  const flows: SessionFlow[] = [];
  for (const line of text.split('\n')) {
    const flow = readFlow(line);
    if (flow !== undefined) flows.push(flow);
  }
  return { flows, kept: keptIn(text) };
}

/** What was kept, read once for a guard and the page behind it. */
export function readKept(data: SessionData & MemoizedSession, key: string): KitSessionData['kept'] {
  const text = textOf(data, key);
  const before = data[remembered];
  if (before?.text === text) return before.kept;
  const kept = keptIn(text);
  data[remembered] = { text, kept };
  return kept;
}

type SessionData = Readonly<Record<string, unknown>>;

/** No session store writes a symbol. */
const remembered = Symbol('pidgate kept');

interface MemoizedSession {
  [remembered]?: { readonly text: string; readonly kept: KitSessionData['kept'] };
}

function textOf(data: SessionData, key: string): string {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof text === 'string' ? text : '';
}

/** The word for what is not there. */
const none = '-';

function flowLine({
  id,
  state,
  request,
  expiresAt,
  returnTo = none,
  destination = none,
}: SessionFlow): string {
  return `flow ${id} ${state} ${request} ${expiresAt} ${returnTo} ${destination}`;
}

function readFlow(line: string): SessionFlow | undefined {
  const words = line.split(' ');
  const [kind, id = '', state = '', request = '', until, returnTo = none, destination = ''] = words;
  const expiresAt = Number(until);
  if (kind !== 'flow' || words.length !== 7 || Number.isNaN(expiresAt)) return undefined;
  if (destination !== none && !/^https?:\/\//.test(destination)) return undefined;
  const flow = { id, state, request, expiresAt, ...(returnTo !== none && { returnTo }) };
  return destination === none ? flow : { ...flow, destination };
}

function keptLine([request, record]: readonly [string, KeptRecord]): string {
  const { issuer, sandbox, verifiedAt, releasedAt, until, receipt, question } = record;
  const { subject = none, origin, kept } = record;
  const { id, presentationSha256 } = receipt;
  const times = `${verifiedAt} ${releasedAt} ${until}`;
  const digests = `${id} ${presentationSha256} ${question} ${subject}`;
  const about = `${encodeURIComponent(issuer)} ${sandbox} ${times} ${digests} ${origin}`;
  return `kept ${request} ${about} ${JSON.stringify(kept) ?? ''}`;
}

function keptIn(text: string): KitSessionData['kept'] {
  const all: Record<string, KeptRecord> = {};
  for (const line of text.split('\n')) {
    const [kind, request = '', ...words] = line.split(' ');
    const record = kind === 'kept' ? readRecord(words) : undefined;
    if (record !== undefined) all[request] = record;
  }
  return all;
}

function readRecord(words: readonly string[]): KeptRecord | undefined {
  const [issuer = '', sandbox, ...rest] = words;
  const [verifiedAt = NaN, releasedAt = NaN, until = NaN] = rest.slice(0, 3).map(Number);
  const [id = '', presentationSha256 = '', question = '', subject = none, origin = ''] = rest.slice(3);
  if (words.length < 11 || Number.isNaN(verifiedAt + releasedAt + until)) return undefined;
  const value = words.slice(10).join(' ');
  try {
    return {
      issuer: decodeURIComponent(issuer),
      sandbox: sandbox === 'true',
      verifiedAt,
      receipt: { id, presentationSha256 },
      kept: value === '' ? undefined : JSON.parse(value),
      until,
      releasedAt,
      question,
      origin,
      ...(subject !== none && { subject }),
    };
  } catch {
    return undefined;
  }
}

/** Adds an entry; what has expired leaves, of the unfinished ones the oldest past the limit, of the finished all but one. */
export function withFlow(
  own: KitSessionData,
  entry: SessionFlow,
  now: number,
  limit: number,
): KitSessionData {
  const alive = liveFlows(own, now).filter((it) => it.id !== entry.id);
  const unfinished = alive.filter((it) => it.destination === undefined);
  const finished = alive.filter((it) => it.destination !== undefined).slice(-1);
  return {
    flows: [...finished, ...[...unfinished, entry].slice(-limit)],
    kept: own.kept,
  };
}

/** Marks the flow as finished, which leads there, and stores what was kept of it. */
export function withKept(
  own: KitSessionData,
  flow: { readonly id: string; readonly destination: string },
  request: string,
  kept: KeptRecord,
): KitSessionData {
  return {
    flows: own.flows
      .filter((it) => it.id === flow.id || it.destination === undefined)
      .map((it) => (it.id === flow.id ? { ...it, destination: flow.destination } : it)),
    kept: { ...own.kept, [request]: kept },
  };
}

/** The flows that may still come back. */
function liveFlows({ flows }: KitSessionData, now: number): readonly SessionFlow[] {
  return flows.filter((it) => it.expiresAt + lateMs > now);
}

/** What was kept and has not run out. Of a question that only another version of the app asks, its own end counts. */
export function liveKept(
  { kept }: KitSessionData,
  now: number,
  requests: ReadonlyMap<string, { readonly keepFor: number }>,
): KitSessionData['kept'] {
  const ends = (name: string, record: KeptRecord): number =>
    endOf(record, requests.get(name)?.keepFor ?? Infinity);
  return Object.fromEntries(Object.entries(kept).filter(([name, record]) => ends(name, record) > now));
}

/** When a record stops counting: a shorter `keepFor` holds for what was kept before, a longer one does not. */
export function endOf({ until, releasedAt }: KeptRecord, keepFor: number): number {
  return Math.min(until, releasedAt + keepFor);
}
