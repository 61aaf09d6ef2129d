import type { Asked, WalletLeg } from '../service/contract.js';
import type { Receipt } from '../service/receipt.js';
import type { AttributeValues, DerivedResults, Variant } from '../types/attributes.js';
import type { Json } from '../types/json.js';
import { isWay, type Way, ways } from '../types/ways.js';

/** What a verification brought, as the hooks see it. */
export interface FlowResult {
  readonly question: string;
  readonly issuer: string;
  /** True where the sandbox answered: nothing is proved. */
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly attributes: Readonly<Partial<AttributeValues>>;
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
export interface FlowRecord extends Omit<Asked, 'name'> {
  /** The form of dates. */
  readonly variant: Variant;
  /** Where the app asks wallets itself. */
  readonly wallets?: WalletLeg;
  /** The code of what came of an answer last, for the page that waits. */
  readonly outcome?: string;
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

/**
 * A record as it is sealed: in places, without names, since it is to be short: anybody makes one without a cookie (F96).
 * A wallet derives nothing and has one form of dates: what is kept for it takes the two places.
 */
type Printed<More> = readonly [
  more: More,
  startedAt: number,
  duration: number,
  origin: string,
  owner: string,
  question: string,
  issuer: string,
  reveal: FlowRecord['reveal'],
  derived: FlowRecord['derived'] | string,
  variant: Variant | Way | 0,
  returnTo: string | null,
];

type Placed =
  | ('startedAt' | 'expiresAt' | 'returnTo' | 'owner' | 'origin' | 'variant' | 'wallets' | 'question')
  | keyof Asked;
type Named = Exclude<keyof FlowRecord, Placed>;

// Each member by its name, here and below: V8 is ten times slower at a loop over names, and at a rest of many.
export function printRecord(record: FlowRecord): string {
  const { startedAt, expiresAt, origin, owner, question, issuer, reveal, derived, variant } = record;
  const { status, answered, subject, context, lease, redirectTo, refusal, code, result, outcome } = record;
  // JSON leaves out what is undefined: here also what every record has at its start.
  const more = {
    status: status === 'pending' ? undefined : status,
    answered: answered.length === 0 ? undefined : answered,
    subject,
    context,
    lease,
    redirectTo,
    refusal,
    code,
    result,
    outcome,
  };
  const duration = expiresAt - startedAt;
  const { returnTo = null, wallets } = record;
  const printed: Printed<Record<Named, unknown>> = [
    more,
    startedAt,
    duration,
    origin,
    owner,
    question,
    issuer,
    reveal,
    wallets === undefined ? derived : printLeg(wallets),
    wallets === undefined ? variant : (wallets.way ?? 0),
    returnTo,
  ];
  return JSON.stringify(printed);
}

export function parseRecord(text: string): FlowRecord {
  const [more, startedAt, duration, origin, owner, question, issuer, reveal, derived, variant, returnTo] =
    JSON.parse(text) as Printed<Partial<FlowRecord>>;
  const placed = {
    startedAt,
    expiresAt: startedAt + duration,
    origin,
    owner,
    question,
    issuer,
    reveal,
    ...(typeof derived === 'string'
      ? { derived: {}, variant: 'derived' as const, wallets: parseLeg(derived, variant) }
      : { derived, variant: variant as Variant }),
  };
  return { status: 'pending', answered: [], ...more, ...placed, ...(returnTo !== null && { returnTo }) };
}

const clientIdPrefix = 'x509_hash:';

const printLeg = ({ ways, bytes = '', clientId }: WalletLeg): string =>
  `${ways.map((way) => way.charAt(0)).join('')}.${bytes}.${clientId.slice(clientIdPrefix.length)}`;

function parseLeg(text: string, way: unknown): WalletLeg {
  const [allowed, bytes, hash] = text.split('.') as [string, string, string]; // as it was printed
  return {
    ways: ways.filter((known) => allowed.includes(known.charAt(0))),
    clientId: `${clientIdPrefix}${hash}`,
    ...(bytes !== '' && { bytes }),
    ...(isWay(way) && { way }),
  };
}
