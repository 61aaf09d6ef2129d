import type { KeyObject } from 'node:crypto';
import type { SdJwtVcTrust } from '../../types/trust.js';
import type { Runtime } from '../jose/clock.js';
import type { UnverifiedToken } from '../jose/jws.js';

/** What a key signs. */
export type KeyUse = 'credential' | 'statusList';

/**
 * The source of an issuer's key: one of the mechanisms that a configuration can specify. Returns the one key that checks
 * this token's signature, or refuses the token.
 */
export interface KeySource {
  (token: UnverifiedToken & { readonly use?: KeyUse }, runtime: Runtime): Promise<KeyObject>;
  /** Identifies the trust that counts, for a mechanism whose trust changes while the process runs. */
  readonly generation?: () => unknown;
}

/** The profiles of a trust entry. */
export type Profile = NonNullable<SdJwtVcTrust['profile']>;

/** The rules of a trust entry for its issuer, beside the keys. */
export interface IssuerRules {
  readonly iss: readonly string[] | undefined;
  readonly profile: Profile;
  readonly algorithms: readonly string[];
}
