import { hash } from 'node:crypto';
import {
  type DigestAlgorithm,
  digestAlgorithm,
  disclosedClaims,
  openDisclosures,
} from '../../verify/sd-jwt/disclosures.js';
import { defaultLimits, isObject, type JsonObject, startReading } from '../../verify/jose/decode.js';
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
  readonly characters: number;
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
  const [jws = '', ...rest] = presentation.split('~');
  const [header, payload] = segments(jws);
  const bound = rest.at(-1);
  const texts = rest.slice(0, -1);
  const algorithm = digestsOf(payload);
  const claims = claimsOf(payload, texts, algorithm);
  const { status_list: list } = object(claims['status']);
  return {
    form: rest.length > 0 ? 'SD-JWT' : 'JWT',
    characters: presentation.length,
    sha256: hash('sha256', presentation, 'hex'),
    header,
    certificates: certificatesIn(header['x5c']),
    claims,
    disclosures: texts.map((text) => disclosure(text, algorithm)),
    keyBinding: bound ? pair(segments(bound)) : undefined,
    status: isObject(list) ? { uri: list['uri'], idx: list['idx'] } : undefined,
  };
}

function segments(jws: string): [header: JsonObject, payload: JsonObject] {
  const [header = '', payload = ''] = jws.split('.');
  return [object(json(header)), object(json(payload))];
}

function pair([header, claims]: [JsonObject, JsonObject]): NonNullable<Decoded['keyBinding']> {
  return { header, claims };
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

function json(segment: string): unknown {
  try {
    return JSON.parse(Buffer.from(segment, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function object(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
