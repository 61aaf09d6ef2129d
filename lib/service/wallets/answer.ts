import { IdentityError } from '../../errors.js';
import { decodeForm } from '../../internal/decode-form.js';
import { sha256 } from '../../internal/sha256.js';
import type { Callback, Received, WalletLeg } from '../contract.js';
import { type Handle, printHandle, readHandle } from './handle.js';
import { type Jwe, openJwe, readJwe } from './jwe.js';
import { answerKey } from './keys.js';
import { credentialId } from './query.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the form that a wallet posts, by `direct_post.jwt` (OpenID4VP 1.0, section 8.3.1): only for which flow it is, since
 * what it says is closed for the key of that flow. An error may come in the open, as from a wallet that has no key.
 */
export function readAnswer(body: unknown): Received {
  const form = formOf(body);
  const { response, error } = form;
  if ((response === undefined) === (error === undefined)) {
    throw malformed('A wallet posts either an encrypted response or an error.');
  }
  if (response !== undefined) {
    const jwe = readJwe(response);
    const handle = readHandle(jwe?.kid);
    if (jwe === undefined) throw malformed('The response is not encrypted as it must be.');
    return handle === undefined ? notOurs : closedAnswer(handle, jwe, response);
  }
  const handle = readHandle(form.state);
  return handle === undefined ? notOurs : openError(handle, error);
}

/**
 * Reads the form in which the page's script posts what the browser has brought (OpenID4VP 1.0, appendix A.3 and A.4). The
 * session knows the flow, and whoever has signed names the origin of the page.
 */
export function readBrowserAnswer(body: unknown, state: string, origin: string): Received {
  const handle = { state, way: 'browser' } as const;
  const { response, error } = formOf(body);
  if ((response === undefined) === (error === undefined)) {
    throw malformed('The page posts either an encrypted response or an error.');
  }
  if (response === undefined) return openError(handle, error);
  const jwe = readJwe(response);
  if (jwe?.kid !== printHandle(handle)) {
    throw malformed('The response is not encrypted for this verification and the way by the browser.');
  }
  return { ...closedAnswer(handle, jwe, response), audience: audienceOf(origin) };
}

/** The example in OpenID4VP 1.0 ended with a slash until an erratum of April 2026, so libraries write it. */
function audienceOf(appUrl: string): readonly string[] {
  const audience = `origin:${new URL(appUrl).origin}`;
  return [audience, `${audience}/`];
}

const closedAnswer = (handle: Handle, jwe: Jwe, response: string): Received => ({
  ...handle,
  digest: sha256(`response ${response}`),
  open: (leg) => openAnswer(jwe, handle, leg),
});

function openError(handle: Handle, error: unknown): Received {
  const answer = errorAnswer(handle, error);
  return {
    ...handle,
    digest: sha256(`error ${printHandle(handle)} ${answer.error}`),
    open: (leg) => (bytesFor(handle, leg) === undefined ? malformed(otherWay) : answer),
  };
}

/** A scanner, or pidgate doctor: no flow can have such a state. */
const notOurs: Received = { state: '', digest: '', open: () => malformed('The state is not one of ours.') };

const otherWay = 'The flow of this answer does not allow its way.';

/** The bytes from which the key of this way is made, where the flow allows the way. */
const bytesFor = ({ way }: Handle, leg: WalletLeg | undefined): string | undefined =>
  leg?.ways.includes(way) === true ? leg.bytes : undefined;

function openAnswer(jwe: Jwe, handle: Handle, leg: WalletLeg | undefined): Callback | IdentityError {
  const bytes = bytesFor(handle, leg);
  if (bytes === undefined) return malformed(otherWay);
  const members = openJwe(jwe, answerKey(bytes, handle.way));
  if (members === undefined) return malformed('The response does not open with the key of its flow.');
  // The request in the page has no state.
  if (members['state'] !== (handle.way === 'browser' ? undefined : printHandle(handle)))
    return malformed('The response has the state of another request.');
  const { vp_token: token, error } = members;
  if (error !== undefined && token !== undefined) {
    return malformed('The response has both a presentation and an error.');
  }
  if (error !== undefined) return errorAnswer(handle, error);
  const presentation = presentationIn(token);
  return presentation === undefined
    ? malformed('The vp_token has not exactly one presentation of the credential that was asked for.')
    : { kind: 'presentation', state: handle.state, presentation };
}

/** Exactly one presentation, of the one credential that was asked for (OpenID4VP 1.0, section 8.1). */
function presentationIn(token: unknown): string | undefined {
  const [[id, presentations] = [], ...others] = Object.entries(Object(token) as object);
  const [presentation, ...more] = Array.isArray(presentations) ? (presentations as unknown[]) : [];
  const isOne = id === credentialId && others.length === 0 && more.length === 0;
  return isOne && typeof presentation === 'string' ? presentation : undefined;
}

/** The codes of OpenID4VP 1.0, section 8.5, and of those that it builds on (RFC 6749, 4.1.2.1; RFC 9101, 7). */
const errorCodes: ReadonlySet<unknown> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_request',
  'invalid_request_object',
  'invalid_request_uri',
  'invalid_request_uri_method',
  'invalid_scope',
  'invalid_transaction_data',
  'request_not_supported',
  'request_uri_not_supported',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_response_type',
  'vp_formats_not_supported',
  'wallet_unavailable',
]);

/** Of a wallet's own words nothing goes on: they would reach logs and metrics. */
function errorAnswer({ state }: Handle, code: unknown): Callback & { readonly kind: 'error' } {
  const error = errorCodes.has(code) ? (code as string) : 'wallet_error';
  return { kind: 'error', state, error, errorDescription: '' };
}

const names = ['response', 'error', 'state'] as const;

/** The fields that are read, each a single text. An app's own parser leaves lists, and brackets in names. */
function formOf(body: unknown): Partial<Record<(typeof names)[number], string>> {
  const form = Buffer.isBuffer(body) ? decodeForm(body) : (Object(body) as Members);
  const fields = names.flatMap((name) => {
    const value = Object.getOwnPropertyDescriptor(form, name)?.value as unknown;
    if (value === undefined) return [];
    if (typeof value !== 'string') throw malformed(`The form of a wallet has no single ${name}.`);
    return [[name, value] as const];
  });
  if (Object.keys(form).some((name) => /[[\]]/.test(name))) throw malformed('A parameter name has brackets.');
  return Object.fromEntries(fields);
}

const malformed = (message: string): IdentityError => new IdentityError('callback_malformed', { message });
