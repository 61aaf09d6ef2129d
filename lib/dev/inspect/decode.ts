import {
  type DigestAlgorithm,
  digestAlgorithm,
  disclosedClaims,
  openDisclosures,
} from '../../verify/sd-jwt/disclosures.js';
import { defaultLimits, isObject, type JsonObject, startReading } from '../../verify/jose/decode.js';
import { splitJws } from '../../verify/jose/jws.js';
import { sha256 } from '../../internal/sha256.js';
import { certificatesIn, type ShownCertificate } from './certificates.js';

/** A Disclosure, as far as it can be read. */
export interface ShownDisclosure {
  readonly digest: string;
  /** Undefined for an element of an array, and for what is no Disclosure. */
  readonly name: string | undefined;
  readonly value: unknown;
}

/** A presentation, decoded and not judged: nothing in it is proved. */
export interface Decoded {
  /** An SD-JWT has a tilde. */
  readonly form: 'SD-JWT' | 'JWT';
  /** False if the signed part is not three segments, of which the first two are JSON objects. */
  readonly isReadable: boolean;
  readonly characters: number;
  /** As in a receipt. */
  readonly sha256: string;
  readonly header: JsonObject;
  readonly certificates: readonly ShownCertificate[];
  /** The claims with the Disclosures in their places; the bare payload if they do not fit. */
  readonly claims: JsonObject;
  readonly disclosures: readonly ShownDisclosure[];
  readonly keyBinding: { readonly header: JsonObject; readonly claims: JsonObject } | undefined;
  readonly status: { readonly uri: unknown; readonly idx: unknown } | undefined;
}

/** Decodes as much of a presentation as possible. What cannot be read is empty. */
export function decode(presentation: string): Decoded {
  const end = presentation.lastIndexOf('~');
  const signed = end === -1 ? presentation : presentation.slice(0, end);
  const bound = end === -1 ? '' : presentation.slice(end + 1);
  // One Disclosure more than any check allows is read, and shown: a text may have as many as it has characters.
  const [jws = '', ...texts] = signed.split('~', defaultLimits.disclosures + 2);
  const read = segments(jws);
  const [header, payload] = read.map(object) as [JsonObject, JsonObject];
  const algorithm = digestsOf(payload);
  const claims = claimsOf(payload, texts, algorithm);
  const { status_list: list } = object(claims['status']);
  return {
    form: end === -1 ? 'JWT' : 'SD-JWT',
    isReadable: splitJws(jws) !== undefined && read.every(isObject),
    characters: presentation.length,
    sha256: sha256(presentation),
    header,
    certificates: certificatesIn(header['x5c']),
    claims,
    disclosures: texts.map((text) => disclosure(text, algorithm)),
    keyBinding: bound === '' ? undefined : pair(segments(bound)),
    status: isObject(list) ? { uri: list['uri'], idx: list['idx'] } : undefined,
  };
}

function segments(jws: string): readonly [header: unknown, payload: unknown] {
  const [header = '', payload = ''] = jws.split('.');
  return [json(header), json(payload)];
}

function pair([header, claims]: ReturnType<typeof segments>): NonNullable<Decoded['keyBinding']> {
  return { header: object(header), claims: object(claims) };
}

function digestsOf(payload: JsonObject): DigestAlgorithm {
  try {
    return digestAlgorithm(payload);
  } catch {
    return digestAlgorithm({});
  }
}

function claimsOf(payload: JsonObject, texts: readonly string[], algorithm: DigestAlgorithm): JsonObject {
  try {
    const disclosures = openDisclosures(texts, algorithm, startReading(defaultLimits));
    return disclosedClaims(payload, disclosures, algorithm, defaultLimits);
  } catch {
    return payload;
  }
}

function disclosure(text: string, algorithm: DigestAlgorithm): ShownDisclosure {
  const parts = json(text);
  const rest = Array.isArray(parts) ? (parts as readonly unknown[]).slice(1) : [];
  const [name] = rest.length === 2 ? rest : [];
  return {
    digest: algorithm.digest(text),
    name: typeof name === 'string' ? name : undefined,
    value: rest.at(-1),
  };
}

/** What is nested deeper than any check allows cannot be shown either: each level would be a call inside another. */
function json(segment: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(segment, 'base64url').toString());
    return isDeeper(value, defaultLimits.depth) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
