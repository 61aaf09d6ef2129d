import type { Limits } from './limits.js';
import { refusal } from './refusal.js';

/** The three segments of a compact JWS, as they came. */
export interface Jws {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** The parts of an SD-JWT or SD-JWT+KB (RFC 9901, section 4), none of them decoded yet. */
export interface Envelope {
  readonly issuerSigned: Jws;
  readonly disclosures: readonly string[];
  readonly keyBinding: Jws | undefined;
  /** Everything up to and with the last tilde: what the key binding's sd_hash is about. */
  readonly presented: string;
}

/** Takes a compact token apart (P01, P03 to P08, P12). */
export function openEnvelope(compact: unknown, limits: Limits): Envelope {
  if (typeof compact !== 'string' || compact === '') throw refusal('P01', 'The presentation is no text.');
  if (compact.length > limits.length) throw refusal('P01', 'The presentation is too large.');
  if (compact.startsWith('{')) throw json(compact);
  const first = compact.indexOf('~');
  if (first === -1) throw refusal('P03', 'The presentation is no SD-JWT: it has no tilde.');
  const last = compact.lastIndexOf('~');
  const disclosures = first === last ? [] : compact.slice(first + 1, last).split('~', limits.disclosures + 1);
  if (disclosures.length > limits.disclosures) {
    throw refusal('P08', 'The presentation has too many Disclosures.');
  }
  for (const disclosure of disclosures) {
    if (disclosure === '') throw refusal('P05', 'The presentation has an empty part between two tildes.');
    if (disclosure.length > limits.disclosureLength) throw refusal('P08', 'A Disclosure is too large.');
  }
  const issuerSigned = splitJws(compact.slice(0, first));
  if (issuerSigned === undefined) throw refusal('P06', 'The issuer-signed part is not three segments.');
  const end = compact.slice(last + 1);
  const keyBinding = end === '' ? undefined : splitJws(end);
  if (end !== '' && keyBinding === undefined) {
    throw refusal('P04', 'After the last tilde stands something other than a key binding JWT.');
  }
  return { issuerSigned, disclosures, keyBinding, presented: compact.slice(0, last + 1) };
}

function splitJws(compact: string): Jws | undefined {
  const [header, payload, signature, more] = compact.split('.', 4);
  return header && payload && signature && more === undefined ? { header, payload, signature } : undefined;
}

function json(compact: string): Error {
  return /^\{\s*"(?!signatures")[^"]*"\s*:\s*\[/.test(compact)
    ? refusal('P12', 'The presentation is a whole vp_token: hand over the one presentation inside it.')
    : refusal('P07', 'The presentation is in JSON serialization: only the compact one is accepted.');
}
