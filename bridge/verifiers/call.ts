const maxBytes = 512 * 1024;

/** A reply of the verifier: its JSON, or undefined for anything else. */
export interface Reply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** Nothing was in it. */
  readonly isEmpty: boolean;
}

export interface Call {
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly token?: string;
  readonly signal: AbortSignal;
}

/** Calls the verifier: a POST with a body or a form, else a GET. No redirect is followed. */
export async function call(url: string, { body, form, token, signal }: Call): Promise<Reply> {
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const content = form === undefined ? JSON.stringify(body) : new URLSearchParams(form);
  const init = content === undefined ? {} : { method: 'POST', body: content };
  const reply = await fetch(url, { headers, signal, redirect: 'manual', ...init });
  const text = await readText(reply, maxBytes);
  if (text === undefined) throw new Error('The reply is too large.');
  return { status: reply.status, json: parse(text), isEmpty: text === '' };
}

/** Reads a body; undefined: it has more bytes than anybody needs. */
export async function readText(reply: Response, limit: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

export function parse(text: string): Reply['json'] {
  try {
    const json: unknown = JSON.parse(text);
    return Object(json) === json && !Array.isArray(json) ? (json as Reply['json']) : undefined;
  } catch {
    return undefined;
  }
}

/** An answer of the verifier that is of no use, with its own words for the log. */
export class Fault extends Error {
  /** Not `status`: that would be the one of our own reply. */
  readonly verifierStatus: number;

  constructor(what: string, { status, json }: Reply) {
    super(`${what} was answered with ${status} ${wordsOf(json?.['error'] ?? json?.['message'])}`.trim());
    this.verifierStatus = status;
  }
}

/** Why a call failed, for the log: what the network says, where it says something. */
export function reasonOf(error: unknown): string {
  const { cause, code, name, message } = error as NodeJS.ErrnoException & {
    readonly cause?: NodeJS.ErrnoException;
  };
  return name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? code ?? message);
}

/** What a verifier says of a mistake: a text, a list of texts, or either of them in a `message` of its own. */
function wordsOf(said: unknown): string {
  if (Array.isArray(said)) return said.map(wordsOf).join('; ');
  return typeof said === 'object' && said !== null && 'message' in said
    ? wordsOf(said.message)
    : forLog(said);
}

/**
 * A text from outside, fit for the log: of a line, cut, and without long words, which may be a credential or a key.
 */
export function forLog(text: unknown): string {
  if (typeof text !== 'string') return '';
  const words = text.replaceAll(/[^\w.,:;/'"()<>-]+/g, ' ').split(' ');
  return words
    .map((word) => (word.length > 64 ? '…' : word))
    .join(' ')
    .slice(0, 160)
    .trim();
}
