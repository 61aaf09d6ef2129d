import { isKitErrorCode } from '../../../errors.js';
import { isProveErrorCode } from '../../../service/prove/errors.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { decode } from '../../inspect/decode.js';
import { claimNames, isAgeId } from '../../../types/attributes.js';
import type { TimelinePart } from './timeline.js';

// Only what is known to hold no secret is shown: a value that nobody has thought of stays hidden.

const hidden = '[hidden]';
const plainHeaders = ['content-type', 'content-length', 'accept', 'retry-after', 'allow', 'cache-control'];

/** The headers that tell nothing about anyone. */
function maskHeaders(headers: Iterable<readonly [string, string]>): Record<string, string> {
  const shown = [...headers].flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (plainHeaders.includes(lower)) return [[lower, value.slice(0, 200)]];
    if (lower === 'authorization') return [[lower, `Bearer ${hidden}`]];
    return lower === 'location' ? [[lower, maskUrl(value)]] : [];
  });
  return Object.fromEntries(shown) as Record<string, string>;
}

/** The body of `/prove`, once it is known to fit the interface. */
export function maskProve(request: ReceivedProveRequest): string {
  return JSON.stringify({ ...request, state: hidden }, undefined, 2);
}

/** The parameters of a callback: an error is the sandbox's own text. */
export function maskCallback(body: string): string {
  if (body === '') return '(empty)';
  return [...new URLSearchParams(body)]
    .map(([name, value]) => {
      if (name === 'error' || name === 'error_description') return `${name}=${value}`;
      const size = name === 'presentation' ? ` ${value.length} characters` : '';
      return `${name}=${hidden}${size}`;
    })
    .join('\n');
}

/** An address without its values; an error code of the closed lists is shown. */
export function maskUrl(address: string): string {
  if (!URL.canParse(address)) return hidden;
  const url = new URL(address);
  const values = [...url.searchParams].map(([name, value]) => {
    const known = name === 'error' && (isKitErrorCode(value) || isProveErrorCode(value));
    return `${maskName(name)}=${known ? value : hidden}`;
  });
  const path = url.pathname.split('/').map(maskName).join('/');
  return `${url.origin}${path}${values.length === 0 ? '' : `?${values.join('&')}`}`;
}

function maskName(name: string): string {
  return /^[\w.~-]{0,24}$/.test(name) ? name : hidden;
}

const idsOfClaims: ReadonlyMap<string, string> = new Map(
  Object.entries(claimNames).map(([id, [claim]]) => [claim, id]),
);

/** The names of what a callback discloses, as the interface calls them. */
export function namesIn(body: string): readonly string[] {
  const presentation = new URLSearchParams(body).get('presentation');
  if (presentation === null) return [];
  const { form, disclosures, claims } = decode(presentation);
  if (form === 'SD-JWT') {
    const names = disclosures.flatMap(({ name }) => (name === undefined ? [] : idOf(name)));
    // The ages stand below a claim that is disclosed with them.
    return names.some(isAgeId) ? names.filter((name) => name !== 'age_over') : names;
  }
  // What the service states itself has its claims in the open.
  const derived = Object.keys((claims['derived'] ?? {}) as object).map((id) => `${id}?`);
  return [
    ...Object.keys(claims)
      .filter((name) => idsOfClaims.has(name))
      .map(idOf),
    ...derived,
  ];
}

function idOf(claim: string): string {
  const age = `age_over_${claim}`;
  return isAgeId(age) ? age : (idsOfClaims.get(claim) ?? maskName(claim));
}

export function part(headers: Iterable<readonly [string, string]>, body?: string): TimelinePart {
  return { headers: maskHeaders(headers), body };
}
