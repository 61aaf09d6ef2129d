import type { Asked, IdentityService } from '../service/contract.js';
import type { Receipt } from '../service/receipt.js';
import type { DerivedResults, PidAttributes } from '../types/attributes.js';
import type { Json } from '../types/json.js';

/** What a verification brought, as the hooks see it. */
export interface FlowResult {
  readonly question: string;
  readonly issuer: string;
  /** True where the sandbox answered: nothing is proved. */
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly attributes: Readonly<Partial<PidAttributes>>;
  readonly derived: Readonly<Partial<DerivedResults>>;
  readonly receipt: Receipt;
}

export type FlowStatus = 'pending' | 'verified' | 'confirmed' | 'failed';

/** What a person was doing, as a record, a session and the page that lets them go on have it. */
export interface Doing {
  readonly question?: string | undefined;
  readonly returnTo?: string | undefined;
  readonly reason?: string | undefined;
  /** The flow's public name. */
  readonly id?: string | undefined;
  /** The app's own word for its refusal. */
  readonly refusal?: string | undefined;
}

/** All that is known of one run. It is only ever stored sealed, whole, under the app's secret. */
export interface FlowRecord extends Omit<Asked, 'name'>, Pick<IdentityService['expected'], 'variant'> {
  readonly status: FlowStatus;
  readonly question: string;
  readonly startedAt: number;
  /** The deadline, judged here and not by the store. */
  readonly expiresAt: number;
  readonly origin: string;
  /** A digest of the owner that the session had at the start: a session with that owner may end the flow. */
  readonly owner: string;
  readonly returnTo?: string;
  /** A digest of who was logged in at the start. */
  readonly subject?: string;
  readonly context?: Json;
  /** Who may run a hook of the callback and write after it, and until when. */
  readonly lease?: { readonly holder: string; readonly until: number };
  /** The bodies that were answered, and where each reply sent the browser: the first refused ones, and the accepted one. */
  readonly answered: readonly { readonly body: string; readonly to: string }[];
  readonly redirectTo?: string;
  /** The app's own word, once a hook has refused. */
  readonly refusal?: string;
  /** The secret half of the code that the browser must bring, from the accepted presentation on. */
  readonly code?: string;
  /** What was verified, from the accepted presentation to the flow's end. */
  readonly result?: FlowResult;
}

/** In their places, without names: a record is as short as it can be, since anybody makes one without a cookie (F96). */
const places = [
  'startedAt',
  'expiresAt',
  'origin',
  'owner',
  'question',
  'issuer',
  'reveal',
  'derived',
  'variant',
  'returnTo',
] as const satisfies readonly (keyof FlowRecord)[];
const atStart = { status: 'pending', answered: [] } as const satisfies Partial<FlowRecord>;

/** A record as it is sealed: without what every one has at its start, and with its deadline as a duration. */
export function printRecord(record: FlowRecord): string {
  const placed = { ...record, expiresAt: record.expiresAt - record.startedAt };
  const more: Partial<Record<keyof FlowRecord, unknown>> = { ...record };
  for (const name of places) delete more[name];
  if (record.status === atStart.status) delete more.status;
  if (record.answered.length === 0) delete more.answered;
  return JSON.stringify([more, ...places.map((name) => placed[name])]);
}

export function parseRecord(text: string): FlowRecord {
  const [more, ...placed] = JSON.parse(text) as [Partial<FlowRecord>, ...unknown[]];
  const named = places.map((name, at) => [name, placed[at] ?? undefined] as const);
  const record = { ...atStart, ...more, ...Object.fromEntries(named) } as FlowRecord;
  return { ...record, expiresAt: record.startedAt + record.expiresAt };
}
