import { isKitErrorCode, type IdentityError } from '../errors.js';
import type { AttributeId, DerivedId } from '../types/attributes.js';
import type { Expected } from '../types/trust.js';

/** What is asked about a person, and of whom. */
export interface Asked {
  readonly issuer: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
}

/** What is told of one verification to start. */
export interface ServiceStart extends Asked {
  /** The secret of the flow, which comes back in the callback. */
  readonly state: string;
  /** Whether the wallet is on the device of the browser. */
  readonly sameDevice: boolean;
}

/** A parsed callback. The strings of an error have a limited length and no control characters. */
export type Callback =
  | { readonly kind: 'presentation'; readonly state: string; readonly presentation: string }
  | {
      readonly kind: 'error';
      readonly state: string;
      readonly error: string;
      readonly errorDescription: string;
    };

/**
 * The identity service, as the kit sees it. There is one, in `prove/`: names, codes and formats of its interface are
 * known there and nowhere else, so that another interface is another folder.
 */
export interface IdentityService {
  /** Starts a verification; resolves to the address where the browser must go. Rejects with an {@link IdentityError}. */
  start(request: ServiceStart): Promise<{ readonly redirectUrl: string }>;
  /** The media type of a callback, which is asked for before its body is read. */
  readonly callbackType: string;
  /** Reads a callback: its bytes, or what a body parser of the app has left of them. Throws `callback_malformed`. */
  readCallback(body: unknown): Callback;
  /** The answer to a callback, which tells the service where to send the browser. */
  reply(redirectUri: string): { readonly mediaType: string; readonly body: string };
  /** The error for a code of the service: one of a closed list, else `service_error`. */
  errorOf(code: string): IdentityError;
  /** What the presentation of a flow that begins now must fit, beside what it asks for: the form of dates. */
  readonly expected: Required<Pick<Expected, 'variant'>>;
  /** Why the service would refuse such a request, as far as that is known beforehand. */
  whyNotSupported(request: Asked): string | undefined;
}

/** True for a code of the closed list: the kit's own, and the service's. No other is named in an address. */
export const isListedCode = (service: Pick<IdentityService, 'errorOf'>, code: string): boolean =>
  isKitErrorCode(code) || service.errorOf(code).code === code;
