import { isKitErrorCode } from '../../../errors.js';
import { isServiceErrorCode } from '../../../service/prove/errors.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
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
    const known = name === 'error' && (isKitErrorCode(value) || isServiceErrorCode(value));
    return `${maskName(name)}=${known ? value : hidden}`;
  });
  const path = url.pathname.split('/').map(maskName).join('/');
  return `${url.origin}${path}${values.length === 0 ? '' : `?${values.join('&')}`}`;
}

function maskName(name: string): string {
  return /^[\w.~-]{0,24}$/.test(name) ? name : hidden;
}

/** Content that only its size may tell about. */
export function maskAll(text: string): string {
  return text === '' ? '(empty)' : `${hidden} ${text.length} characters`;
}

export function part(headers: Iterable<readonly [string, string]>, body?: string): TimelinePart {
  return { headers: maskHeaders(headers), body };
}

/** The callback as a command. It holds the presentation, so it has a page of its own that is asked for by hand. */
export function curlFor(url: string, body: string): string {
  const lines = [
    `curl -i ${quoted(url)}`,
    "-H 'content-type: application/x-www-form-urlencoded'",
    `--data-raw ${quoted(body)}`,
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
