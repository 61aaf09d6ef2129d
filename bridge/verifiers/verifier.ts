/** The time of a start or a result. The app waits for ten seconds. */
export const verifierMs = 8_000;

/** What a verifier is asked to start. */
export interface Order {
  /** Names of claims of the PID. */
  readonly claims: readonly string[];
  /** The nonce that the wallet shall sign, for a verifier that takes it from us. */
  readonly nonce: string;
  /** Where the wallet sends the browser of the same device; undefined for another device. */
  readonly back: string | undefined;
  /** Where a verifier can tell what came, and the key that lets it in. */
  readonly hook: { readonly url: string; readonly key: string };
  /** Seconds for which the request counts. */
  readonly lifetime: number;
  readonly signal: AbortSignal;
}

/** A request that waits at the verifier for a wallet. */
export interface WalletRequest {
  readonly id: string;
  /** Opens a wallet with it, as a link or as a QR code. */
  readonly link: string;
}

/** What is known when the answer is looked for. */
export interface Question {
  readonly request: WalletRequest;
  readonly sameDevice: boolean;
  /** What the wallet gave the browser of the same device, to show that it is the one. */
  readonly responseCode: string | undefined;
  /** The body that the verifier posted to the hook. */
  readonly hooked: string | undefined;
  readonly signal: AbortSignal;
}

/** What the app is told. The nonce is there if the verifier drew it. */
export type Answer =
  | { readonly presentation: string; readonly nonce?: string }
  | { readonly error: string; readonly error_description: string };

/**
 * What a look finds: an answer, with the verifier's own reason for the log; or that the wallet has answered and the proof
 * is on its way to the hook; or nothing yet.
 */
export type Found = Finding | 'on its way' | undefined;
export type Finding = Answer & { readonly reason?: string };

/** A verifier of OpenID4VP, as the bridge sees it. Whatever either function throws is a fault of the verifier. */
export interface Verifier {
  /** An address that answers with less than 500 while the verifier is there. */
  readonly lifeSign: string;
  /** Whether a wallet can fetch a request once only. The page says what to do then. */
  readonly givesRequestOnce: boolean;
  /** With the nonce, if the verifier takes ours. */
  start(order: Order): Promise<WalletRequest & { readonly nonce?: string }>;
  /** On the same device there is nothing without the right response code. No promise: the verifier was not asked. */
  result(question: Question): Promise<Found> | undefined;
}

export const over = {
  error: 'expired',
  error_description: 'The request is over, and no wallet has answered it.',
};

/** What a wallet answered in place of a proof, such as `access_denied`. Nothing else of its words is passed on. */
export function walletError(error: string): Answer {
  const isCode = /^[a-z_]{1,64}$/.test(error);
  return { error: isCode ? error : 'wallet_error', error_description: 'The wallet answered with an error.' };
}

/** The one credential that is asked for, as a DCQL query (OpenID4VP 1.0, section 6). */
export function pidQuery(claims: readonly string[], vct: readonly string[], trustedAuthorities: unknown) {
  const credential = {
    id: 'pid',
    format: 'dc+sd-jwt',
    meta: { vct_values: vct },
    claims: claims.map((name) => ({ path: [name] })),
    ...(trustedAuthorities !== undefined && { trusted_authorities: trustedAuthorities }),
  };
  return { credentials: [credential] };
}
