import type { HttpAnswer } from '../http.js';
import { type DoctorCheck, type Finding, jsonOf } from '../finding.js';

/** What came back of the callback, where the app answers at all and the kit is somewhere in it. */
function answered(
  callback: HttpAnswer,
  page: HttpAnswer,
): { status: number; error: unknown; type: string } | undefined {
  if (callback.kind !== 'reply' || page.kind !== 'reply' || page.status === 404) return undefined;
  const { status, headers, body } = callback;
  return { status, error: jsonOf(body)['error'], type: headers['content-type'] ?? '' };
}

/** Makes a check of the callback's answer. `what` is undefined where the answer is another one. */
const onAnswer =
  (
    fits: (reply: { status: number; error: unknown; type: string }) => boolean,
    what: (path: string, status: number) => Finding,
  ): DoctorCheck =>
  ({ callback, page, settings }) => {
    const reply = answered(callback, page);
    if (reply === undefined || !fits(reply)) return undefined;
    return what(settings.paths.callback, reply.status);
  };

const byKit = (error: unknown): boolean => typeof error === 'string';

const callbackRedirected = onAnswer(
  ({ status }) => status >= 300 && status < 400,
  (path, status) => ({
    id: 'callback-redirected',
    observed: `POST ${path} returns a redirect (${status}).`,
    cause: 'A log-in wall, or a rule that redirects http to https or adds a slash, comes before the kit.',
    fix: 'Let this address through: a wallet or a service has no cookie and does not follow redirects. A service needs the final address.',
  }),
);

const callbackForbidden = onAnswer(
  ({ status, error }) => (status === 401 || status === 403 || status === 419) && !byKit(error),
  (path, status) => ({
    id: 'callback-forbidden',
    observed: `POST ${path} is refused with ${status} before it reaches the kit.`,
    cause: 'A CSRF check, basic authentication, a firewall or a log-in wall comes before the kit.',
    fix: 'Mount the kit above that check, or let this address through: the callback has no cookie and no token.',
  }),
);

const callbackGuarded = onAnswer(
  ({ error }) => isOfGuard(error),
  (path, status) => ({
    id: 'callback-guarded',
    observed: `POST ${path} is refused with ${status} by identity.require.`,
    cause: 'A guard stands above the router, such as app.use(identity.require()): nobody reaches the start.',
    fix: "Mount app.use('/identity', identity) above the guard.",
  }),
);

const callbackMissing = onAnswer(
  ({ status, error }) => status === 404 && !byKit(error),
  (path) => ({
    id: 'callback-missing',
    observed: `There is nothing at ${path}, although the start page exists.`,
    cause: 'The route is renamed or disabled (option routes), or a proxy does not let it through.',
    fix: 'Look at the rules of the proxy and the option routes. If a service calls back, compare its Redirect URL with them.',
  }),
);

const bodyConsumed = onAnswer(
  ({ error }) => error === 'body_consumed',
  (path) => ({
    id: 'body-consumed',
    observed: `Something consumes the body of POST ${path} before the kit can read it.`,
    cause: 'A body parser, a logger or a proxy middleware is mounted above the kit.',
    fix: 'Move the line that mounts the kit above that middleware.',
  }),
);

const callbackLimited = onAnswer(
  ({ status }) => status === 429,
  (path) => ({
    id: 'callback-limited',
    observed: `POST ${path} returns 429: too many requests.`,
    cause:
      'A rate limiter stands in front of the callback. Those of a service, or of wallets behind one mobile network, come from one address, so somebody who cancels many verifications of their own keeps out those of everybody else.',
    fix: 'Remove the limiter from the callback, and limit only the start. The kit itself bounds what callbacks cost.',
  }),
);

const isOfGuard = (error: unknown): boolean => error === 'identity_required' || error === 'identity_stale';

const callbackUnlike = onAnswer(
  ({ status, error, type }) => {
    const told = [301, 302, 303, 307, 308, 401, 403, 404, 419, 429].includes(status) && !byKit(error);
    if (told || error === 'body_consumed' || error === 'config_invalid' || isOfGuard(error)) return false;
    return status !== 400 || error !== 'callback_malformed' || !type.startsWith('application/json');
  },
  (path, status) => ({
    id: 'callback-unlike-interface',
    observed: `POST ${path} returns ${status} for a malformed callback, not 400 with JSON.`,
    cause:
      "A proxy that takes no body of this length, or a body parser, a check of the media type or a proxy, which changes the body, responds itself, or changes the router's response.",
    fix: 'Mount the router above that parser or check. To see what responds, call the address with curl: the router says callback_malformed.',
  }),
);

const callbackUnreachable: DoctorCheck = ({ callback, page, settings }) => {
  if (callback.kind === 'reply' || page.kind !== 'reply') return undefined;
  return {
    id: 'callback-unreachable',
    observed: `POST ${settings.paths.callback} got no usable response: ${callback.why}.`,
    cause:
      'A firewall or a proxy lets no POST through, or middleware before the kit waits forever or breaks the connection.',
    fix: 'Open this address for POST from everywhere (with a service, from the service), and mount the kit above that middleware.',
  };
};

/** A state that no kit makes is no event. If there was one, the kit saw another body than the one that was sent. */
const bodyLost: DoctorCheck = ({ inside, callback, settings }) => {
  if (callback.kind !== 'reply' || callback.status !== 400 || !inside?.events.includes('callback.refused')) {
    return undefined;
  }
  return {
    id: 'body-lost',
    observed: `The body of POST ${settings.paths.callback} does not reach the kit intact: it contains no state.`,
    cause: 'A body parser, a logger or a proxy middleware above the kit reads the body and replaces it.',
    fix: 'Move the line that mounts the kit above that middleware.',
  };
};

export const callbackChecks: readonly DoctorCheck[] = [
  callbackRedirected,
  callbackForbidden,
  callbackGuarded,
  callbackMissing,
  bodyConsumed,
  callbackLimited,
  callbackUnlike,
  callbackUnreachable,
  bodyLost,
];
