import type { KeyObject } from 'node:crypto';
import type { SdJwtVcTrust } from '../../types/trust.js';
import type { JwsHeader } from '../jose/jws.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import type { JsonObject } from '../jose/segment.js';

/** The token that needs a key. Nothing in it is verified yet. */
interface UnverifiedToken {
  readonly header: JwsHeader;
  readonly claims: JsonObject;
  /** What the key signs; default a credential. */
  readonly use?: 'credential' | 'statusList';
}

/**
 * The source of an issuer's key: one of the mechanisms that a configuration can specify. Returns the one key that checks
 * this token's signature, or refuses the token.
 */
export interface KeySource {
  (token: UnverifiedToken, runtime: Runtime): Promise<KeyObject>;
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
