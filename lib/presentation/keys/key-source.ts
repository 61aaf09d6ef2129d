import type { KeyObject } from 'node:crypto';
import type { SdJwtVcTrust } from '../../contracts/trust.js';
import type { JwsHeader } from '../token/header.js';
import type { Seams } from '../token/runtime.js';
import type { JsonObject } from '../token/segment.js';

/** The token for which a key is sought. Nothing of it is proved yet. */
interface Unproved {
  readonly header: JwsHeader;
  readonly claims: JsonObject;
}

/**
 * Where an issuer's key comes from: one of the mechanisms that a configuration can name. Answers the one key that
 * checks this token's signature, or refuses.
 */
export type KeySource = (token: Unproved, seams: Seams) => Promise<KeyObject>;

/** The profiles of a trust entry. */
export type Profile = NonNullable<SdJwtVcTrust['profile']>;

/** What a trust entry says of its issuer beside the keys. */
export interface IssuerRules {
  readonly iss: readonly string[] | undefined;
  readonly profile: Profile;
}
