import { isKitErrorCode, type IdentityError } from '../errors.js';
import type { AttributeId, DerivedId, Variant } from '../types/attributes.js';
import type { Log } from '../types/events.js';
import type { Way } from '../types/ways.js';

/** What is asked about a person, and of whom. */
export interface Asked {
  /** The app's name of the question. The service does not hear of it. */
  readonly name: string;
  readonly issuer: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
}

/** What the record of a flow keeps so that a wallet can be asked, and its answer be opened, by any process of the app. */
export interface WalletLeg {
  /** By which a wallet may be asked, and answer. */
  readonly ways: readonly Way[];
  /** Who asks: link, request and audience are of this one, also after the certificate was renewed. */
  readonly clientId: string;
  /** The random bytes from which the keys of the answers are derived. Erased with the accepted answer. */
  readonly bytes?: string;
  /** The way of the accepted answer. */
  readonly way?: Way;
}

/** What is told of one verification to start. */
export interface ServiceStart extends Omit<Asked, 'name'> {
  /** The secret of the flow, which comes back in the callback. */
  readonly state: string;
  /** Whether the wallet is on the device of the browser. */
  readonly sameDevice: boolean;
  /** The origin of the app that the flow began under, with its prefix. */
  readonly origin: string;
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

/** A callback of which only the flow is known yet: what is in it may be closed for a key of the flow's record. */
export interface Received {
  readonly state: string;
  /** The same for two deliveries of one callback, and for no other. */
  readonly digest: string;
  /** The way of a wallet's own answer; absent where a service brings it. */
  readonly way?: Way | undefined;
  /** Whom the proof must name, where that is not who asked: the origin of the page, by the browser. */
  readonly audience?: readonly string[];
  /** Reads what the callback says, with what the record keeps; `callback_malformed` where it cannot be read. */
  readonly open: (leg: WalletLeg | undefined) => Callback | IdentityError;
}

/**
 * Who answers for wallets, as the kit sees it: the service of `POST /prove` (`prove/`), or the app itself, which asks
 * wallets directly (`wallets/`). Of the kit itself these two folders alone know names, codes and formats of their
 * interfaces; the sandbox, the tools of development and the example app know them too. Another one is another folder if it
 * works in the same steps: it is given a `state`, brings it back in a callback, and learns from the reply to that callback
 * where to send the browser. The proof in that callback is bound to the flow: its nonce can be told from the `state`, or by
 * a function of the trust entry.
 *
 * **A callback is read in two steps:** first only which flow it is for, then, with that flow's record, what it says. So an
 * answer that is closed for a flow's own key costs nothing where the flow is unknown or over.
 *
 * **What rests on the reply.** It carries the code that nobody else knows: only the browser of the person who agreed is
 * sent to that address. That a result goes to the browser that started, and that a link sent to somebody else does not
 * bring their identity (promises 1 and 2 of the README, F1 to F9), rest on this code and on the session together. Where
 * there is no such reply, only the session binds: whoever started gets the data of whoever agreed. A wallet that has read a
 * code (`way` `code`) is such a case: SECURITY.md says so, and the flow's `ways` can forbid it. By the browser there is no
 * reply either, and the proof is bound to the origin of the page that asked (`audience`), which no other site has. Nothing
 * else may be added without saying so there.
 *
 * **What is not here**, because neither has need of it. Who adds a service that does, adds it here:
 * - a reply without a body, such as 204, or with the address in a header: `reply` and `http/callback.ts` know media type
 *   and body only;
 * - the headers of a callback, such as a signature, and a callback that is not a POST;
 * - another reply to a callback that was refused: `http/callback.ts` sends JSON, with the status of the error;
 * - the purpose of a question in what is sent;
 * - an id that the service makes itself and brings back instead of `state`;
 * - a return with anything but the code.
 */
export interface IdentityService {
  /** What a record of a flow that begins now keeps for the service: the form of dates, and a wallet's leg. */
  toRecord(begun: { readonly ways: readonly Way[]; readonly now: number; readonly log: Log }): {
    readonly variant: Variant;
    readonly wallets?: WalletLeg;
  };
  /**
   * Starts a verification; resolves to the address where the browser must go. Only here is it checked to be https: the kit
   * sends the browser to whatever this says (F14). Rejects with an {@link IdentityError}.
   */
  start(request: ServiceStart): Promise<{ readonly redirectUrl: string }>;
  /** Whether a callback comes once, from a wallet itself: then what brought no verdict is told it as an error. */
  readonly sendsOnce: boolean;
  /** The media type of a callback, which is asked for before its body is read. */
  readonly callbackType: string;
  /** Reads which flow a callback is for: from its bytes, or from what a body parser of the app has left of them. */
  readCallback(body: unknown): Received | Promise<Received>;
  /**
   * The reply to a callback, which tells the service where to send the browser: with the code, if the proof was good.
   * Without an address there is nowhere to go: a wallet on another device must not open it.
   */
  reply(redirectUri: string | undefined): { readonly mediaType: string; readonly body: string };
  /** The error for a code of the service: one of a closed list, else `service_error`. For the code of such an error, too. */
  errorOf(code: string): IdentityError;
  /** Why the service would refuse the `derived` of such a question, as far as that is known beforehand. */
  whyNotSupported(question: Pick<Asked, 'derived'>): string | undefined;
}

/** True for a code of the closed list: the kit's own, and the service's. No other is named in an address. */
export const isListedCode = (service: Pick<IdentityService, 'errorOf'>, code: string): boolean =>
  isKitErrorCode(code) || service.errorOf(code).code === code;
