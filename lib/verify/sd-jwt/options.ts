import type { Clock } from '../../types/json.js';
import { type ExpectedBinding, parseAudience } from './key-binding.js';
import {
  dateInSeconds,
  knownOptions,
  nonEmptyString,
  numberAboveZero,
  numberFromZero,
  stringList,
} from '../../internal/former-validate.js';
import { algorithmList } from '../jose/algorithms.js';
import type { SdJwtRules } from './check.js';
import { type FindKey, givenKey, type PublicKey } from '../keys/key-input.js';
import { defaultLimits, type TokenLimits } from '../jose/limits.js';
import { type Runtime, runtimeFrom } from '../jose/clock-and-fetch.js';

/** The values that the key binding JWT of a presentation must have. */
export interface KeyBindingOptions {
  readonly nonce: string;
  /** The value of its `aud`: the whole client id, prefix included; up to four while one replaces another. */
  readonly audience: string | readonly string[];
  /** Seconds since its `iat`; default 300. */
  readonly maxAge?: number;
  /** Seconds that the wallet's clock may be off; default 300. */
  readonly tolerance?: number;
  /** When the request was made: an older key binding JWT is refused, less the tolerance. */
  readonly startedAt?: Date;
}

/** How to verify an SD-JWT. */
export interface SdJwtOptions {
  /** The issuer's public key, or a function that finds it. Nothing in the token's header is ever used as a key. */
  readonly key: PublicKey | FindKey;
  /** The expected key binding. The word `absent` refuses a token that has one. There is no default. */
  readonly keyBinding: KeyBindingOptions | 'absent';
  /** The values that the header's `typ` may have, letter by letter; default `['dc+sd-jwt']`. */
  readonly types?: readonly string[];
  /** Default `['ES256']`, for the issuer's signature and the wallet's. */
  readonly algorithms?: readonly string[];
  readonly clock?: Clock;
  /** Seconds that the issuer's clock may be off; default 5. */
  readonly clockTolerance?: number;
  readonly limits?: Partial<TokenLimits>;
}

const optionNames = [
  'key',
  'keyBinding',
  'types',
  'algorithms',
  'clock',
  'clockTolerance',
  'limits',
] as const satisfies readonly (keyof SdJwtOptions)[];
const bindingNames = [
  'nonce',
  'audience',
  'maxAge',
  'tolerance',
  'startedAt',
] as const satisfies readonly (keyof KeyBindingOptions)[];
const limitNames = Object.keys(defaultLimits) as (keyof TokenLimits)[];

/** Parses the options of one call. */
export function parseSdJwtOptions(options: unknown): {
  rules: SdJwtRules;
  binding: ExpectedBinding | 'absent';
  runtime: Runtime;
} {
  const given = knownOptions(options, optionNames, 'verifySdJwt');
  return {
    rules: {
      keys: givenKey(given.key),
      types: given.types === undefined ? ['dc+sd-jwt'] : stringList(given.types, 'types'),
      algorithms: algorithmList(given.algorithms, 'algorithms'),
      clockTolerance: numberFromZero(given.clockTolerance, 5, 'clockTolerance'),
      limits: given.limits === undefined ? defaultLimits : parseLimits(given.limits),
    },
    binding: given.keyBinding === 'absent' ? 'absent' : parseKeyBinding(given.keyBinding),
    runtime: runtimeFrom({ clock: given.clock }),
  };
}

function parseKeyBinding(value: unknown): ExpectedBinding {
  const given = knownOptions(value, bindingNames, 'keyBinding');
  return {
    nonce: nonEmptyString(given.nonce, 'keyBinding.nonce'),
    audiences: parseAudience(given.audience, 'keyBinding.audience'),
    maxAge: numberAboveZero(given.maxAge, 300, 'keyBinding.maxAge'),
    tolerance: numberFromZero(given.tolerance, 300, 'keyBinding.tolerance'),
    startedAt: dateInSeconds(given.startedAt, 'keyBinding.startedAt'),
  };
}

function parseLimits(value: unknown): TokenLimits {
  const given = knownOptions(value, limitNames, 'limits');
  const limit = (name: keyof TokenLimits) =>
    numberFromZero(given[name], defaultLimits[name], `limits.${name}`);
  return {
    length: limit('length'),
    disclosures: limit('disclosures'),
    disclosureLength: limit('disclosureLength'),
    depth: limit('depth'),
    arrayLength: limit('arrayLength'),
    values: limit('values'),
  };
}
