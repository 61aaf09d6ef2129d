import { adviceOn, fixOf } from '../../../set-up/list.js';
import { type BoundedReply, mediaType } from '../../../internal/http.js';

/** What came of a delivery. */
export type ReplyOutcome =
  | { readonly ok: true; readonly redirectUri: string | undefined }
  | { readonly ok: false; readonly problem: ReplyProblem };

/** Why the customer's reply does not do. */
export type ReplyProblem =
  | { readonly kind: 'unreachable'; readonly code: string | undefined }
  | { readonly kind: 'timeout' | 'too_large' | 'not_utf8' | 'no_redirect_uri' | 'redirect_uri_relative' }
  | { readonly kind: 'lost' | 'replies_differ' | 'late_learned' }
  | { readonly kind: 'status'; readonly status: number; readonly text: string }
  | { readonly kind: 'media_type'; readonly mediaType: string; readonly text: string }
  | { readonly kind: 'not_json'; readonly text: string };

/**
 * The interface wants 200, application/json and a `redirect_uri`, which a wallet on another device does not get; a browser is
 * only ever sent to http or https.
 */
export function readReply({ status, header, text }: BoundedReply, isWallet: boolean): ReplyOutcome {
  if (status !== 200) return failed({ kind: 'status', status, text });
  const type = mediaType(header('content-type'));
  if (type !== 'application/json') return failed({ kind: 'media_type', mediaType: type, text });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return failed({ kind: 'not_json', text });
  }
  const { redirect_uri: uri } = (json ?? {}) as { redirect_uri?: unknown };
  if (isWallet && uri === undefined) return { ok: true, redirectUri: undefined };
  if (typeof uri !== 'string' || uri === '') return failed({ kind: 'no_redirect_uri' });
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return failed({ kind: 'redirect_uri_relative' });
  return { ok: true, redirectUri: url.href };
}

export function failed(problem: ReplyProblem): ReplyOutcome {
  return { ok: false, problem };
}

interface Explanation {
  readonly title: string;
  readonly happened: string;
  readonly fix: string;
  readonly command?: { readonly intro: string; readonly line: string };
}

const elsewhere = {
  command: { intro: 'If the callback route is elsewhere, specify it:', line: 'pidgate dev --callback <url>' },
} as const;

/** Plain words for each problem. */
export function explain(problem: ReplyProblem): Explanation {
  switch (problem.kind) {
    case 'unreachable':
      return {
        title: 'The app could not be reached',
        happened: `The callback route did not respond (${problem.code ?? 'no reason given by the network'}).`,
        fix: 'Start the app. If it stopped, check its terminal.',
        ...elsewhere,
      };
    case 'timeout':
      return {
        title: 'The app took too long',
        happened: 'The callback route accepted the callback but did not respond in time.',
        fix: 'Look for a hook or middleware that never responds. A body parser that reads the request before the kit can also leave it waiting.',
      };
    case 'status':
      return explainStatus(problem.status, problem.text);
    case 'media_type':
      return {
        title: 'The reply is not JSON',
        happened: `The app returned the content type ${problem.mediaType === '' ? '(none)' : problem.mediaType}; it must be application/json.`,
        fix: 'Answer with res.json({ redirect_uri }). A page instead of JSON often means that a different route responded.',
        ...elsewhere,
      };
    case 'not_json':
      return {
        title: 'The reply is not JSON',
        happened: 'The content type is application/json, but the body cannot be read as JSON.',
        fix: 'Answer with res.json({ redirect_uri }).',
      };
    case 'no_redirect_uri':
      return {
        title: 'The reply has no redirect_uri',
        happened: 'The reply is JSON, but it does not contain redirect_uri as a string.',
        fix: 'Return an object whose redirect_uri is the address that the browser goes to next.',
      };
    case 'redirect_uri_relative':
      return {
        title: 'The redirect_uri is not a full address',
        happened: 'The redirect_uri of the reply is not an absolute http or https URL.',
        fix: 'Put the scheme and the host in front, such as http://localhost:3000/identity/return.',
      };
    case 'too_large':
      return {
        title: 'The reply is too large',
        happened: 'The app returned more than 64 kB.',
        fix: 'Answer with {"redirect_uri": "…"} and nothing else.',
      };
    case 'lost':
      return {
        title: 'The callback was lost',
        happened: 'No callback was sent: this is the scenario callback_lost.',
        fix: 'Go back to the app. It is still waiting, and a new start must work.',
      };
    case 'replies_differ':
      return {
        title: 'Two replies to one callback',
        happened: 'The same callback was sent twice, and the replies differ. They must be the same.',
        fix: 'Look for something before the kit that responds to callbacks. If there are several processes, all must share one flow store.',
      };
    case 'late_learned':
      return {
        title: 'The reply reveals the return address',
        happened:
          'Other content for an answered flow got the reply of the first. Anyone who learns the state could fetch the code.',
        fix: 'Look for something before the kit that remembers replies, such as a cache or a proxy.',
      };
    case 'not_utf8':
      return {
        title: 'The reply is not UTF-8',
        happened: 'The bytes of the reply are not valid UTF-8.',
        fix: 'Answer with res.json({ redirect_uri }).',
      };
  }
}

function explainStatus(status: number, text: string): Explanation {
  const happened = `The app answered the callback with ${status}; it must be 200.`;
  const title = `The app answered ${status}`;
  if (status === 404) return { title, happened, fix: adviceOn('callback-missing'), ...elsewhere };
  if (status >= 300 && status < 400) {
    return {
      title,
      happened: `${happened} The service does not follow redirects.`,
      fix: adviceOn('callback-redirected'),
    };
  }
  if (/"(method_not_allowed|cross_site)"/.test(text)) {
    const fix =
      'The Redirect URL is another route of the kit: it must be its callback, which ends in /callback by default.';
    return { title, happened, fix };
  }
  if (status === 429) {
    return { title, happened, fix: `A rate limiter answered. ${fixOf('callback-limited')}` };
  }
  if (status === 401 || status === 403) {
    return {
      title,
      happened,
      fix: adviceOn('callback-forbidden'),
    };
  }
  if (status >= 500) {
    return {
      title,
      happened,
      fix: "Check the app's terminal.",
    };
  }
  const fix =
    status === 400
      ? 'The app finds no valid parameters in the body: has something above the kit read and replaced it? Mount the kit above it. The reply may say more; the terminal says nothing of a 400.'
      : 'The reply may say more. Its error is explained by: npx pidgate explain <code>.';
  return { title, happened, fix };
}
