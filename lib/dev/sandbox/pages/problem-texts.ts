import type { ReplyProblem } from '../service/reply.js';

interface Explanation {
  readonly title: string;
  readonly happened: string;
  readonly fix: string;
  readonly command?: { readonly intro: string; readonly line: string };
}

const elsewhere = {
  command: { intro: 'If the callback route is elsewhere, name it:', line: 'pidgate dev --callback <url>' },
} as const;

/** Plain words for each problem. */
export function explain(problem: ReplyProblem): Explanation {
  switch (problem.kind) {
    case 'unreachable':
      return {
        title: 'The app could not be reached',
        happened: `Nothing answered at the Redirect URL (${problem.code ?? 'no reason given by the network'}), although it was tried four times.`,
        fix: 'Start the app, or look at its terminal if it stopped.',
        ...elsewhere,
      };
    case 'timeout':
      return {
        title: 'The app took too long',
        happened: 'The Redirect URL took the callback but did not answer in time.',
        fix: 'Look for a hook or a middleware that never answers. A body parser that reads the request before the kit can also leave it waiting.',
      };
    case 'status':
      return explainStatus(problem.status);
    case 'media_type':
      return {
        title: 'The reply is not JSON',
        happened: `The app answered with the content type ${problem.mediaType === '' ? '(none)' : problem.mediaType}; it must be application/json.`,
        fix: 'Answer with res.json({ redirect_uri }). A page instead of JSON often means that another route answered.',
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
        happened: 'The reply is JSON, but it holds no redirect_uri that is text.',
        fix: 'Answer with an object whose redirect_uri is the address that the browser goes to next.',
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
        happened: 'The app answered with more than 64 kB.',
        fix: 'Answer with {"redirect_uri": "…"} and nothing else.',
      };
    case 'lost':
      return {
        title: 'The callback was lost',
        happened: 'No callback was sent: this is the scenario callback_lost.',
        fix: 'Go back to the app. It still waits, and a new start must work.',
      };
    case 'replies_differ':
      return {
        title: 'Two replies to one callback',
        happened: 'The same callback was sent twice, and the replies differ. They must be the same.',
        fix: 'Look for something before the kit that answers callbacks. With several processes, all must use one flow store.',
      };
    case 'late_learned':
      return {
        title: 'The reply gives the return address away',
        happened:
          'Other content for an answered flow got the reply of the first. Whoever learns the state could fetch the code.',
        fix: 'Look for something before the kit that remembers replies, such as a cache or a proxy.',
      };
    case 'not_utf8':
      return {
        title: 'The reply is not UTF-8',
        happened: 'The bytes of the reply cannot be read as UTF-8.',
        fix: 'Answer with res.json({ redirect_uri }).',
      };
  }
}

function explainStatus(status: number): Explanation {
  const happened = `The app answered the callback with ${status}; it must be 200.`;
  const title = `The app answered ${status}`;
  if (status === 404)
    return { title, happened, fix: 'There is no route for POST at the Redirect URL.', ...elsewhere };
  if (status >= 300 && status < 400) {
    return {
      title,
      happened: `${happened} The service follows no redirects.`,
      fix: 'Look for a middleware that sends every visitor elsewhere (a log-in, https, a trailing slash) and mount the kit before it.',
    };
  }
  if (status === 401 || status === 403) {
    return {
      title,
      happened,
      fix: 'The callback comes from the service without a cookie: mount the kit before log-in checks and CSRF protection.',
    };
  }
  if (status >= 500 || status === 429) {
    return {
      title,
      happened: `${happened} It was tried four times.`,
      fix: 'Look at the terminal of the app.',
    };
  }
  return { title, happened, fix: 'The terminal of the app may tell more, and so may its reply.' };
}
