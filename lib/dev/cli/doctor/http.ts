import { type IncomingHttpHeaders, request as askHttp } from 'node:http';
import { request as askHttps } from 'node:https';
import { codeOf } from '../../../internal/system-code.js';
import { withTimeoutSignal } from '../../../internal/timeouts.js';

/** What an address answered; `silence` where nothing usable came. */
export type HttpAnswer = HttpReply | { readonly kind: 'silence'; readonly why: string };

export interface HttpReply {
  readonly kind: 'reply';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The JSON of an answer, or nothing. */
export function jsonOf(body: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export interface HttpQuestion {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const patience = 10_000;
const maxBytes = 256 * 1024;

/** Asks once, follows no redirect, and reads no more than a page of text. `Host` may be set, which fetch refuses. */
export async function sendRequest(
  url: URL,
  { method = 'GET', headers = {}, body }: HttpQuestion = {},
): Promise<HttpAnswer> {
  try {
    return await withTimeoutSignal(
      patience,
      async ({ signal }) => await send(url, method, headers, body, signal),
    );
  } catch (error) {
    const code = codeOf(error);
    return {
      kind: 'silence',
      why: code === undefined || code === 'ABORT_ERR' ? 'no response in time' : code,
    };
  }
}

async function send(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  signal: AbortSignal,
): Promise<HttpReply> {
  return await new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? askHttps : askHttp;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = open(
      url,
      { method, headers: { ...headers, ...length }, signal, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes <= maxBytes) chunks.push(chunk);
        });
        response.on('error', reject).on('end', () => {
          const { statusCode: status = 0, headers: given } = response;
          resolve({ kind: 'reply', status, headers: given, body: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on('error', reject).end(body);
  });
}
