import type { Limits } from './limits.js';
import { checkFailed } from './check-failed.js';

/** The three segments of a compact JWS, not decoded yet. */
export interface Jws {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** The parts of an SD-JWT or SD-JWT+KB (RFC 9901, section 4), not decoded yet. */
export interface Envelope {
  readonly issuerSigned: Jws;
  readonly disclosures: readonly string[];
  readonly keyBinding: Jws | undefined;
  /** Everything up to and including the last tilde: the input of the key binding's sd_hash. */
  readonly presented: string;
}

/** Returns a presentation that may be a compact token of some kind (P01, P07, P12). */
export function compactText(presentation: unknown, limits: Limits): string {
  if (typeof presentation !== 'string' || presentation === '') {
    throw checkFailed('P01', 'The presentation is not a string.');
  }
  if (presentation.length > limits.length) throw checkFailed('P01', 'The presentation is too large.');
  if (presentation.startsWith('{')) throw json(presentation);
  return presentation;
}

/** Splits a compact SD-JWT into its parts (P03 to P06, P08). */
export function openEnvelope(presentation: unknown, limits: Limits): Envelope {
  const compact = compactText(presentation, limits);
  const first = compact.indexOf('~');
  if (first === -1) throw checkFailed('P03', 'The presentation is no SD-JWT: it has no tilde.');
  const last = compact.lastIndexOf('~');
  const disclosures = first === last ? [] : compact.slice(first + 1, last).split('~', limits.disclosures + 1);
  if (disclosures.length > limits.disclosures) {
    throw checkFailed('P08', 'The presentation has too many Disclosures.');
  }
  for (const disclosure of disclosures) {
    if (disclosure === '') throw checkFailed('P05', 'The presentation has an empty part between two tildes.');
    if (disclosure.length > limits.disclosureLength) throw checkFailed('P08', 'A Disclosure is too large.');
  }
  const issuerSigned = splitJws(compact.slice(0, first));
  if (issuerSigned === undefined) throw checkFailed('P06', 'The issuer-signed part is not three segments.');
  const end = compact.slice(last + 1);
  const keyBinding = end === '' ? undefined : splitJws(end);
  if (end !== '' && keyBinding === undefined) {
    throw checkFailed('P04', 'After the last tilde stands something other than a key binding JWT.');
  }
  return { issuerSigned, disclosures, keyBinding, presented: compact.slice(0, last + 1) };
}

/** Returns the three segments of a compact JWS, or undefined if there are not exactly three. */
export function splitJws(compact: string): Jws | undefined {
  const [header, payload, signature, more] = compact.split('.', 4);
  return header && payload && signature && more === undefined ? { header, payload, signature } : undefined;
}

function json(compact: string): Error {
  return /^\{\s*"(?!signatures")[^"]*"\s*:\s*\[/.test(compact)
    ? checkFailed('P12', 'The presentation is a whole vp_token: hand over the one presentation inside it.')
    : checkFailed('P07', 'The presentation is in JSON serialization: only the compact one is accepted.');
}
