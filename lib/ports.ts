import type { ErrorCode } from './errors.js';

/** The kit's only source of time. */
export type Clock = () => Date;

/** Any value that survives JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** The two variants of the service's interface. */
export type Variant = 'base' | 'derived';

/** The PID attributes that can be asked for, as the kit hands them to the app. */
export interface PidAttributes {
  family_name: string;
  given_name: string;
  /** `YYYY-MM-DD`, in both variants. */
  birth_date: string;
  /** ISO 3166-1 alpha-2 codes, or `QU` (unknown) and `QS` (stateless). */
  nationality: string[];
}

/** The answers that the service can compute from a PID without revealing it. */
export interface DerivedResults {
  /** Whether the person holds the nationality that was asked about. */
  nationality: boolean;
}

export type AttributeId = keyof PidAttributes;
export type DerivedId = keyof DerivedResults;

/** What is asked of the service. */
export interface ProveRequest {
  readonly issuer: string;
  readonly revealed: readonly AttributeId[];
  readonly state: string;
  readonly same_device?: boolean;
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
}

/** The service, seen from the customer. Fails with an {@link IdentityError}. */
export interface ProveClient {
  prove(request: ProveRequest): Promise<{ readonly redirectUrl: string }>;
}

/** What a presentation must be for: the values that the customer stored when the flow began. */
export interface Expected {
  readonly issuer: string;
  readonly state: string;
  readonly reveal: readonly AttributeId[];
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
  readonly variant?: Variant;
  readonly startedAt?: Date;
}

/** The outcome of judging a presentation. The refusal's reason never holds a value of the presentation. */
export type Verdict =
  | {
      readonly valid: true;
      readonly attributes: Readonly<Partial<PidAttributes>>;
      readonly derived: Readonly<Partial<DerivedResults>>;
    }
  | {
      readonly valid: false;
      readonly reason: string;
      /** The number of the first failed check, such as `B07`. */
      readonly check?: string;
      /** Defaults to `presentation_invalid`; a retryable code (`keys_unavailable`) is no verdict on the flow. */
      readonly code?: ErrorCode;
    };

/** Judges a presentation. A rejection means that no judgement was possible, not that the presentation is bad. */
export type Verifier = (presentation: string, expected: Expected) => Promise<Verdict>;

/** A public key as JSON. */
export interface Jwk {
  readonly kty: string;
  readonly [member: string]: unknown;
}

/** Trust in an issuer of SD-JWT VCs that a wallet presents with key binding. */
export interface SdJwtVcTrust {
  readonly format: 'sd-jwt-vc';
  /** Exactly one mechanism. */
  readonly keys:
    | { readonly jwks: { readonly keys: readonly Jwk[] } }
    | { readonly jwksUri: string }
    /** CA certificates in PEM, such as `trustFromPem` reads: a chain in the token's header must end at one. */
    | { readonly x5c: { readonly anchors: readonly string[] } };
  /**
   * Required issuer names. Without it the `iss` claim is not looked at, but with `x5c` a credential that has one is
   * refused: whoever has a certificate could write any name there.
   */
  readonly iss?: string | readonly string[];
  readonly vct: readonly string[];
  /** Default `['ES256']`. */
  readonly algorithms?: readonly string[];
  /** Required: there is no default and no way to skip it. */
  readonly keyBinding: {
    readonly nonce: 'state-sha256' | ((expected: Expected) => string);
    readonly audience: string;
    /** Seconds; the kit's default is the life of a flow. */
    readonly maxAge?: number;
    /** Seconds that the wallet's clock may be off; default 300. */
    readonly tolerance?: number;
  };
  /** Where each attribute lives (a path of claim names), if not under the PID rulebook's name. */
  readonly claims?: Readonly<Partial<Record<AttributeId, readonly string[]>>>;
  /**
   * Default `sd-jwt-vc`. `haip-1.0` also refuses an anchor that is sent along, and a credential that has neither an
   * expiry nor a status.
   */
  readonly profile?: 'haip-1.0' | 'sd-jwt-vc';
  /** What becomes of a credential whose issuer may have revoked it. */
  readonly status?: {
    /**
     * Default `ifPresent`: a status that the credential names is looked up. `require` refuses one that names none;
     * `dangerouslyIgnore` accepts one that was revoked.
     */
    readonly mode?: 'ifPresent' | 'require' | 'dangerouslyIgnore';
    /** The only origins that a status list is fetched from; default those of `iss` and `jwksUri`. */
    readonly origins?: readonly string[];
  };
}

/** Trust in a service that signs the result itself, as a JWT of its own. */
export interface JwtTrust {
  readonly format: 'jwt';
  /** Exactly one mechanism. */
  readonly keys: SdJwtVcTrust['keys'];
  /** The names that `iss` may have. */
  readonly iss: string | readonly string[];
  /** The one value that `aud` must have. */
  readonly audience: string;
  /** The header's `typ`, letter by letter. */
  readonly typ: string;
  /** Default `['ES256']`. */
  readonly algorithms?: readonly string[];
  /** The claim that ties the token to one flow, and what it must say. Required: there is no way to skip it. */
  readonly binding: {
    readonly claim: string;
    readonly value: 'state-sha256' | 'state' | ((expected: Expected) => string);
  };
  /** Seconds since `iat`; the kit's default is the life of a flow. */
  readonly maxAge?: number;
  /** Seconds that the service's clock may be off; default 5. */
  readonly tolerance?: number;
  /** Where each attribute lives, as a path of claim names: only what stands here can be asked for. */
  readonly claims: Readonly<Partial<Record<AttributeId, readonly string[]>>>;
  /** Where each derived result lives, as `"1"` or `"0"`. */
  readonly derived?: Readonly<Partial<Record<DerivedId, readonly string[]>>>;
}

/** Whom to believe for one issuer id, and how its presentations are bound to a flow. */
export type TrustEntry = SdJwtVcTrust | JwtTrust;

/** Trust by issuer id: an entry for a built-in format, or a verifier of your own. */
export type Trust = Readonly<Record<string, TrustEntry | Verifier>>;

/**
 * Where flows live between start and return. `replace` is a compare-and-swap in one backend step: it writes only
 * if the stored version is still `version`, and what it wrote has the version `version + 1`.
 */
export interface FlowStore {
  /** False: the id is taken. */
  create(id: string, value: string, ttlMs: number): Promise<boolean>;
  read(id: string): Promise<{ value: string; version: number } | undefined>;
  /** False: the id is gone or has another version. */
  replace(id: string, version: number, value: string, ttlMs: number): Promise<boolean>;
  delete(id: string): Promise<void>;
}

/** Where in a flow an error was met. */
export type Step = 'start' | 'callback' | 'return';

/** What happened, without a secret or a personal value: for logs and metrics. */
export interface IdentityEvent {
  readonly type:
    | 'flow.started'
    | 'flow.verified'
    | 'flow.confirmed'
    | 'flow.failed'
    | 'start.failed'
    | 'callback.refused'
    | 'callback.unknown'
    | 'return.refused'
    | 'hook.failed';
  readonly at: Date;
  /** The flow's public name, the same as in `/status?flow=`. */
  readonly flow?: string;
  /** The named request, `default` where none was named. */
  readonly request?: string;
  readonly code?: ErrorCode;
  readonly check?: string;
}
