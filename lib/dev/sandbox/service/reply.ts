import { type BoundedReply, mediaType } from '../../../internal/fetch-bounded.js';

/** What came of a delivery. */
export type ReplyOutcome =
  | { readonly ok: true; readonly redirectUri: string }
  | { readonly ok: false; readonly problem: ReplyProblem };

/** Why the customer's reply does not do. */
export type ReplyProblem =
  | { readonly kind: 'unreachable'; readonly code: string | undefined }
  | { readonly kind: 'timeout' | 'too_large' | 'not_utf8' | 'no_redirect_uri' | 'redirect_uri_relative' }
  | { readonly kind: 'lost' | 'replies_differ' | 'late_learned' }
  | { readonly kind: 'status'; readonly status: number; readonly text: string }
  | { readonly kind: 'media_type'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'not_json'; readonly text: string };

/** The interface wants 200, application/json and a `redirect_uri`; a browser is only ever sent to http or https. */
export function readReply({ status, headers, text }: BoundedReply): ReplyOutcome {
  if (status !== 200) return failed({ kind: 'status', status, text });
  const type = mediaType(headers.get('content-type'));
  if (type !== 'application/json') return failed({ kind: 'media_type', mediaType: type, text });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed({ kind: 'not_json', text });
  }
  const { redirect_uri: uri } = (json ?? {}) as { redirect_uri?: unknown };
  if (typeof uri !== 'string' || uri === '') return failed({ kind: 'no_redirect_uri' });
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return failed({ kind: 'redirect_uri_relative' });
  return { ok: true, redirectUri: url.href };
}

export function failed(problem: ReplyProblem): ReplyOutcome {
  return { ok: false, problem };
}
