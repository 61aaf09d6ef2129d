import type { ErrorCode } from '../errors.js';
import type {
  AttributeId,
  AttributeValues,
  ClaimPaths,
  DerivedId,
  DerivedResults,
  Variant,
} from './attributes.js';
import type { FlowStore } from './store.js';

/** A public key as JSON. */
export interface Jwk {
  readonly kty: string;
  readonly [member: string]: unknown;
}

// A member that restricts has no `| undefined`: a misspelled name must not lift it. The others count as absent.

/** Trust in an issuer by certificates: the chain in the token's header must end at an anchor. */
export interface CertificateTrust {
  /** CA certificates in PEM, as `trustFromPem` reads them. Required if there is no `trustedList`. */
  readonly anchors?: readonly string[] | undefined;
  /** The CA certificates in PEM that certify the signers of status lists, if they are not those in `anchors`. */
  readonly statusAnchors?: readonly string[] | undefined;
  /** A signed list of PID providers (ETSI TS 119 602) whose CAs are the anchors, renewed while the process runs. */
  readonly trustedList?: {
    readonly url: string;
    /** The certificates in PEM that sign the list. Not their CA: no other certificate below it may sign. */
    readonly signers: readonly string[];
    /** The countries whose providers count, such as `['DE']`. */
    readonly territories: readonly string[];
    /** The names or trade names of the providers in `territories` that count. Default: all of them. */
    readonly entities?: readonly string[];
    /**
     * Permits what the standard forbids, for test environments. With `sequence-reset`, the number of a list may go back or
     * stay, and the issue time alone puts lists in order. With `long-validity`, the next update may be up to 400 days ahead
     * instead of six months, and for that long the same list can be sent again.
     */
    readonly dangerouslyAllow?: readonly ('sequence-reset' | 'long-validity')[] | undefined;
    /** The lowest sequence number that is accepted. */
    readonly minSequence?: number;
    /** How long the last list counts while no newer one can be fetched; default `'3d'`. */
    readonly maxStale?: number | string;
    /** Remembers the newest list across restarts: use the store of your flows. Required together with `anchorsValidUntil`. */
    readonly store?: FlowStore | undefined;
  };
  /** The end of `anchors` next to `trustedList`: they count until then, or until the first list was accepted. */
  readonly anchorsValidUntil?: Date | undefined;
  /** Requirements for the certificate that signs; without them every certificate below the anchors may sign. */
  readonly leaf?: {
    /** Object identifiers of extended key usage; default those for signing PIDs and documents. */
    readonly purposes?: readonly string[];
    /**
     * Object identifiers of certificate policies. The certificate must have one of them, and each CA below the anchor must
     * have the same one, or anyPolicy.
     */
    readonly policies?: readonly string[];
    /** Parts of the certificate's subject. Each must be there exactly once. */
    readonly subject?: Readonly<
      Partial<Record<'CN' | 'O' | 'OU' | 'C' | 'serialNumber' | 'organizationIdentifier', string>>
    >;
    /** Requires that `iss` is there and that an alternative name of the certificate has it: the URI, or its host. */
    readonly requireIssuerInSan?: boolean;
  };
}

/**
 * The place of a derived result in the claims, and of the value that it was computed for, as paths of member names. Both
 * paths differ in one name only. `dangerouslyUnbound` is for a service that signs the result without that value: a
 * result for another value then looks the same, so ask about one value only.
 */
export type DerivedPlace =
  | { readonly result: readonly string[]; readonly value: readonly string[] }
  | { readonly result: readonly string[]; readonly dangerouslyUnbound: true };

/** Trust in an issuer of SD-JWT VCs that a wallet presents with key binding. */
export interface SdJwtVcTrust {
  readonly format: 'sd-jwt-vc';
  /** Exactly one mechanism. What `jwksUri` answers is kept as `Cache-Control` says, from ten seconds to a day. */
  readonly keys:
    | { readonly jwks: { readonly keys: readonly Jwk[] } }
    | { readonly jwksUri: string }
    | { readonly x5c: CertificateTrust };
  /**
   * The names that `iss` may have. Without it the `iss` claim is ignored, except with `x5c`: there a credential with an
   * `iss` is refused, because everyone with a certificate could write any name into it.
   */
  readonly iss?: string | readonly string[];
  readonly vct: readonly string[];
  /** The values that the header's `typ` may have; default `['dc+sd-jwt']`. Older issuers write `vc+sd-jwt`. */
  readonly types?: readonly ('dc+sd-jwt' | 'vc+sd-jwt')[];
  /** Default `['ES256']`. */
  readonly algorithms?: readonly string[];
  /**
   * Required with a service, in `verifyPresentation` and in `pidgate inspect`, with nonce and audience. An app that asks
   * wallets itself leaves both out, because they are its own.
   */
  readonly keyBinding?: {
    /**
     * The nonce that the wallet must have signed. A function must return at least 22 characters, and something else for
     * another state: this is tried when the factory is made. An asynchronous function is for a verifier that draws its own
     * nonce. It has five seconds and cannot be tried, so each answer must have at least 22 characters.
     */
    readonly nonce?: 'state-sha256' | ((expected: Expected) => string | Promise<string>);
    /**
     * The client id that the wallet saw, prefix included. A list of up to four while one id replaces another: under HAIP the
     * id is the hash of the access certificate (`x509HashClientId`), so it changes with every renewal. Write both into the
     * list before the service switches, and take the old one out when one `flowTtl` has passed since then.
     */
    readonly audience?: string | readonly string[];
    /** The greatest age in seconds. Default: `flowTtl`, and 600 with `verifyPresentation`. */
    readonly maxAge?: number;
    /** Seconds that the wallet's clock may be off; default 300. */
    readonly tolerance?: number | undefined;
  };
  /**
   * The path of claim names of each attribute that the issuer does not call as the PID rulebook does. `age_over` is the
   * path below which the ages stand, each under its years: default `['age_equal_or_over']`, or false where there are none.
   */
  readonly claims?: ClaimPaths | undefined;
  /** The place of each derived result. Default: `['derived', id]`, with the value asked about at `['derived_for', id]`. */
  readonly derived?: Readonly<Partial<Record<DerivedId, DerivedPlace>>> | undefined;
  /**
   * The keys and claims of a service that states derived results itself. A flow that asks for a derived result is verified
   * by this entry alone, attributes included. The rest of the outer entry does not count for it.
   */
  readonly derivedBy?: JwtTrust | undefined;
  /**
   * Default `sd-jwt-vc`. `haip-1.0` also refuses an anchor that is sent along, a signer's certificate that is its own
   * issuer, and a credential that has neither an expiry nor a status.
   */
  readonly profile?: 'haip-1.0' | 'sd-jwt-vc';
  /** Refuses a credential without `exp`; default false. */
  readonly requireExpiry?: boolean;
  /** The greatest age in seconds since the credential's `iat`, which is then required. Default: no limit. */
  readonly maxCredentialAge?: number;
  /** How to treat a credential that its issuer may have revoked. */
  readonly status?: {
    /**
     * Default `ifPresent`: the status is looked up if the credential has one. `require` refuses a credential without a
     * status. `dangerouslyIgnore` accepts revoked credentials.
     */
    readonly mode?: 'ifPresent' | 'require' | 'dangerouslyIgnore';
    /** The only origins that status lists are fetched from. Default: those of `iss` and `jwksUri`. */
    readonly origins?: readonly string[];
  };
}

/**
 * Trust in a service that signs the result itself, as a JWT of its own.
 *
 * @example
 * ```ts
 * import type { Trust } from 'pidgate'
 *
 * const trust: Trust = {
 *   'de-ausweis': {
 *     format: 'jwt',
 *     keys: { jwksUri: 'https://service.example/jwks.json' },
 *     iss: 'https://service.example',
 *     audience: 'shop.example',
 *     typ: 'identity+jwt',
 *     binding: { claim: 'nonce', value: 'state-sha256' },
 *     claims: { given_name: ['person', 'given_name'], birth_date: ['person', 'birth_date'] },
 *   },
 * }
 * ```
 */
export interface JwtTrust {
  readonly format: 'jwt';
  /** Exactly one mechanism. */
  readonly keys: SdJwtVcTrust['keys'];
  /** The names that `iss` may have. */
  readonly iss: string | readonly string[];
  /** The one value that `aud` must have. */
  readonly audience: string;
  /** The exact `typ` of the header. */
  readonly typ: string;
  /** Default `['ES256']`. */
  readonly algorithms?: readonly string[];
  /** The claim that ties the token to one flow, and its expected value. Required: there is no way to skip it. */
  readonly binding: {
    readonly claim: string;
    /** What the claim must be, or a function that computes it. */
    readonly value: 'state-sha256' | 'state' | ((expected: Expected) => string);
  };
  /** The greatest age in seconds since `iat`. Default: `flowTtl`, and 600 with `verifyPresentation`. */
  readonly maxAge?: number;
  /** Seconds that the service's clock may be off; default 5. */
  readonly tolerance?: number | undefined;
  /**
   * The path of claim names of each attribute. Only these can be asked for. An age needs `birth_date`, or `age_over`: the
   * path below which the ages stand, each under its years.
   */
  readonly claims: ClaimPaths;
  /** The place of each derived result, which is `"1"` or `"0"`. */
  readonly derived?: Readonly<Partial<Record<DerivedId, DerivedPlace>>> | undefined;
}

/** The values that you stored when the flow began: a presentation must fit them. */
export interface Expected {
  readonly issuer: string;
  /** The secret of the flow, in any form: 128 random bits or more, because nonce and receipt are derived from it. */
  readonly state: string;
  readonly reveal: readonly AttributeId[];
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
  readonly variant?: Variant;
  readonly startedAt?: Date;
}

/** How the verification of a presentation ended. The reason of a refusal never holds a value of the presentation. */
export type Verdict =
  | {
      readonly valid: true;
      /** Of a verifier of your own, an age may be a boolean, or a `birth_date` in its place. */
      readonly attributes: Readonly<Partial<AttributeValues>>;
      readonly derived: Readonly<Partial<DerivedResults>>;
    }
  | {
      readonly valid: false;
      readonly reason: string;
      /** The number of the first failed check, such as `B07`. */
      readonly check?: string;
      /** Default `presentation_invalid`. With a retryable code such as `keys_unavailable`, the flow stays open. */
      readonly code?: ErrorCode;
    };

/** Verifies a presentation. A rejected promise means that there is no verdict, not that the presentation is bad. */
export type Verifier = (presentation: string, expected: Expected) => Promise<Verdict>;

/** What the kit expects of a flow of its own. */
export interface FlowExpectation extends Expected {
  /**
   * Whom the wallet must name, where the app asked it itself: the client id that asked, or by the browser the origin. Of an
   * entry's audiences no other one counts.
   */
  readonly audience?: readonly string[] | undefined;
}

/** Verifies a presentation of one of the kit's own flows. */
export type FlowVerifier = (presentation: string, expected: FlowExpectation) => Promise<Verdict>;

/** The keys to trust for one issuer id, and how its presentations are bound to a flow. */
export type TrustEntry = SdJwtVcTrust | JwtTrust;

/** Trust by issuer id: an entry for a built-in format, or a verifier of your own. */
export type Trust = Readonly<Record<string, TrustEntry | Verifier>>;
