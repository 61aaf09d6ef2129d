import { isKitErrorCode, type IdentityError } from '../errors.js';
import type { AttributeId, DerivedId } from '../types/attributes.js';
import type { Expected } from '../types/trust.js';

/** What is asked about a person, and of whom. */
export interface Asked {
  /** The app's name of the question. The service does not hear of it. */
  readonly name: string;
  readonly issuer: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
}

/** What is told of one verification to start. */
export interface ServiceStart extends Omit<Asked, 'name'> {
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
 * The identity service, as the kit sees it. There is one, in `prove/`. Of the kit itself it alone knows the names, codes
 * and formats of the interface; the sandbox, the tools of development and the example app know them too. Another service
 * is another folder if it works in the same steps: it is given a `state`, brings it back in a callback, and learns from
 * the reply to that callback where to send the browser. The proof in that callback is bound to the flow: its nonce can be
 * told from the `state`, or by a function of the trust entry.
 *
 * **What rests on the reply.** It carries the code that nobody else knows: only the browser of the person who agreed is
 * sent to that address. That a result goes to the browser that started, and that a link sent to somebody else does not
 * bring their identity (promises 1 and 2 of the README, F1 to F9), rest on this code and on the session together. With a
 * service that has no such reply, and always sends the browser to one fixed address, only the session binds: whoever
 * started gets the data of whoever agreed. Such a service may not be added without saying so in SECURITY.md.
 *
 * **What is not here**, because this service has no need of it. Who adds a service that does, adds it here:
 * - a reply without a body, such as 204, or with the address in a header: `reply` and `http/callback.ts` know media type
 *   and body only;
 * - the headers of a callback, such as a signature, and a callback that is not a POST;
 * - another reply to a callback that was refused: `http/callback.ts` sends JSON, with the status of the error;
 * - the purpose of a question in what is sent;
 * - an id that the service makes itself and brings back instead of `state`;
 * - a return with anything but the code.
 */
export interface IdentityService {
  /**
   * Starts a verification; resolves to the address where the browser must go. Only here is it checked to be https: the kit
   * sends the browser to whatever this says (F14). Rejects with an {@link IdentityError}.
   */
  start(request: ServiceStart): Promise<{ readonly redirectUrl: string }>;
  /** The media type of a callback, which is asked for before its body is read. */
  readonly callbackType: string;
  /** Reads a callback: its bytes, or what a body parser of the app has left of them. Throws `callback_malformed`. */
  readCallback(body: unknown): Callback;
  /** The reply to a callback, which tells the service where to send the browser: with the code, if the proof was good. */
  reply(redirectUri: string): { readonly mediaType: string; readonly body: string };
  /** The error for a code of the service: one of a closed list, else `service_error`. For the code of such an error, too. */
  errorOf(code: string): IdentityError;
  /** What the presentation of a flow that begins now must fit, beside what it asks for: the form of dates. */
  readonly expected: Required<Pick<Expected, 'variant'>>;
  /** Why the service would refuse the `derived` of such a question, as far as that is known beforehand. */
  whyNotSupported(question: Pick<Asked, 'derived'>): string | undefined;
}

/** True for a code of the closed list: the kit's own, and the service's. No other is named in an address. */
export const isListedCode = (service: Pick<IdentityService, 'errorOf'>, code: string): boolean =>
  isKitErrorCode(code) || service.errorOf(code).code === code;
