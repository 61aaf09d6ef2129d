import {
  type ChecksOf,
  invalid,
  list,
  nonEmptyString,
  oneOf,
  optional,
  satisfying,
} from '../internal/validate.js';
import { type Variant, variants } from '../types/attributes.js';
import { type Way, ways } from '../types/ways.js';
import { checkEntry, maxEntries, type WalletsEntry } from './access.js';

export { createWalletsService } from './ask-wallets.js';
export { createProveService as createService } from './prove/client.js';

/** The options of the factory that are about who asks wallets. Another service changes them here, and `createService`. */
export interface ServiceOptions {
  /** The address of the service, without `/prove`; default `IDENTITY_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The API key, or a function that fetches it; default `IDENTITY_API_KEY`. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The variant of the service's interface. Default `IDENTITY_VARIANT`, or else `'derived'`. */
  readonly variant?: Variant | undefined;
  /**
   * In place of a service: the app asks wallets itself, with its access certificate. A list while one is renewed: the first
   * that is valid asks.
   */
  readonly wallets?: WalletsEntry | readonly WalletsEntry[] | undefined;
}

const entryList = list(checkEntry);

/** Checks an entry, or a list of them, and returns a list; a list has no place for variables. */
function checkWallets(value: unknown, place: string): readonly WalletsEntry[] {
  if (!Array.isArray(value)) return [checkEntry(value, place)];
  const entries = entryList(value, place);
  if (entries.length <= maxEntries) return entries;
  throw invalid(place, `must be at most ${maxEntries} entries: the new one, and the old one until it ends`);
}

export const serviceMembers = {
  baseUrl: optional(nonEmptyString),
  apiKey: optional(
    satisfying<string | (() => string | Promise<string>)>(
      (value) => (typeof value === 'string' && value !== '') || typeof value === 'function',
      'must be a string or a function',
    ),
  ),
  variant: optional(oneOf(variants)),
  wallets: optional(checkWallets),
} satisfies ChecksOf<ServiceOptions>;

/** The variable of each, and the value without one; an option without either is missing. */
export const serviceVariables = {
  baseUrl: ['IDENTITY_BASE_URL'],
  apiKey: ['IDENTITY_API_KEY'],
  variant: ['IDENTITY_VARIANT', 'derived'],
} as const;

/** The variables of the one entry of `wallets`. */
export const walletsVariables = {
  certificate: 'IDENTITY_ACCESS_CERTIFICATE',
  key: 'IDENTITY_ACCESS_KEY',
  registration: 'IDENTITY_REGISTRATION',
} as const;

const wayList = list(oneOf(ways), 'must be a list of ways');

/** Checks by which ways a wallet may answer. */
export const waysOf = (value: unknown, place: string): readonly Way[] =>
  Object.freeze([...new Set(wayList(value, place))]);
