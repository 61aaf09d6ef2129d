/** A reply whose whole body was read, within the limit. */
export interface BoundedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The reply is not a string within the limit. `what` says why and quotes nothing of it. */
export class UnusableReply extends Error {
  readonly what: 'too large' | 'not UTF-8';

  constructor(what: UnusableReply['what']) {
    super(what);
    this.what = what;
  }
}

/** Fetches without following redirects and reads at most `maxBytes` of the body. */
export async function fetchBounded(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  maxBytes: number,
): Promise<BoundedReply> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const { status, headers, body } = response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new UnusableReply('too large'); // leaving the loop cancels the body
    chunks.push(chunk);
  }
  return { status, headers, text: decode(Buffer.concat(chunks)) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnusableReply('not UTF-8');
  }
}

/** Returns the media type of a reply or request, without its parameters. */
export function mediaType(header: string | null | undefined): string {
  return (header ?? '').replace(/;.*/s, '').trim().toLowerCase();
}
