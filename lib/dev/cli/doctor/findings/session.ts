import { type Check, jsonOf } from '../finding.js';

const statusCode = (body: string): unknown => jsonOf(body)['error'];

const sessionMissing: Check = ({ status }) => {
  if (status.kind !== 'reply' || statusCode(status.body) !== 'session_missing') return undefined;
  return {
    id: 'session-missing',
    found: 'The kit finds no session.',
    cause: 'express-session is not mounted, is mounted after the kit, or its store has no connection.',
    mend: "Mount express-session above app.use('/identity', identity), and look at its store.",
  };
};

const sessionUnsupported: Check = ({ status }) => {
  if (status.kind !== 'reply' || statusCode(status.body) !== 'session_unsupported') return undefined;
  return {
    id: 'session-unsupported',
    found: 'The session is not one of express-session.',
    cause:
      'Another middleware, such as cookie-session, sets req.session. It has no store and cannot change its id.',
    mend: 'Mount express-session in its place.',
  };
};

const cookieNeverSet: Check = ({ inside, settings: { appUrl } }) => {
  if (!inside?.session?.secure || appUrl.protocol === 'https:') return undefined;
  return {
    id: 'cookie-secure-on-http',
    found: `The session cookie is Secure, and the app is at ${appUrl.origin}.`,
    cause:
      'cookie.secure is true. express-session does not set such a cookie over http: no start comes back.',
    mend: "Write cookie: { secure: 'auto' }, or serve the app over https.",
  };
};

const trustProxyMissing: Check = ({ inside, settings: { appUrl } }) => {
  if (inside === undefined || appUrl.protocol !== 'https:' || inside.secure) return undefined;
  return {
    id: 'trust-proxy',
    found: `${appUrl.origin} is https, but Express takes the requests of a proxy for http.`,
    cause: inside.trustsProxy
      ? "'trust proxy' is set to other addresses than that of the proxy."
      : "'trust proxy' is not set, so that X-Forwarded-Proto and X-Forwarded-Host are not read.",
    mend: "app.set('trust proxy', 1) for one proxy in front. Without it, a Secure session cookie is never set.",
  };
};

const cookieNotSecure: Check = ({ inside, settings: { appUrl } }) => {
  if (!inside?.session || inside.session.secure || appUrl.protocol !== 'https:' || !inside.secure) {
    return undefined;
  }
  return {
    id: 'cookie-not-secure',
    found: `The app is at ${appUrl.origin}, and its session cookie is not Secure.`,
    cause: 'cookie.secure is not set. The cookie would also be sent over http, where others can read it.',
    mend: "Write cookie: { secure: 'auto' }.",
  };
};

/** A host that has a parent domain: an app beside it could set a cookie for both. */
const hasNeighbours = ({ hostname }: URL): boolean =>
  hostname.includes('.') && !hostname.startsWith('[') && !/^[\d.]+$/.test(hostname);

const cookieWithoutPrefix: Check = ({ inside, settings: { appUrl } }) => {
  const { session, secure } = inside ?? {};
  if (!session?.secure || secure !== true || appUrl.protocol !== 'https:' || !hasNeighbours(appUrl))
    return undefined;
  if (session.name === undefined || session.name.startsWith('__Host-')) return undefined;
  return {
    id: 'cookie-without-prefix',
    found: `The name of the session cookie, ${session.name}, does not begin with __Host-.`,
    cause:
      'Any other subdomain of your domain can then plant a session of its choice in the browsers of your visitors.',
    mend: "Write name: '__Host-session', with cookie.path '/' and without cookie.domain, as in docs/sessions.md.",
  };
};

const cookieSameSiteNone: Check = ({ inside }) => {
  if (inside?.session?.sameSite !== 'none' || inside.session.secure) return undefined;
  return {
    id: 'cookie-same-site-none',
    found: 'The session cookie is SameSite=None and not Secure.',
    cause: 'Browsers refuse such a cookie: every start would be lost.',
    mend: "Write sameSite: 'lax'. The kit does not need None.",
  };
};

const cookieForScripts: Check = ({ inside }) => {
  if (inside?.session?.httpOnly !== false) return undefined;
  return {
    id: 'cookie-for-scripts',
    found: 'Scripts of the pages can read the session cookie.',
    cause: 'cookie.httpOnly is false.',
    mend: 'Leave httpOnly out: true is the default.',
  };
};

const sessionRevived: Check = ({ inside }) => {
  if (!inside?.session?.revives) return undefined;
  return {
    id: 'session-revived',
    found: 'A session that ends while one of its requests runs is stored again afterwards.',
    cause:
      'resave is true, which is the default of express-session. A log-out in another tab is undone that way.',
    mend: 'Write resave: false.',
  };
};

const sessionStoreAway: Check = ({ inside }) => {
  if (!inside?.session?.away) return undefined;
  return {
    id: 'session-store-away',
    found: 'The session store does not write, read and remove a session.',
    cause: 'Its server is away, its credentials or its table are wrong, or it is full.',
    mend: "Look at the server of the session store, and at the app's log.",
  };
};

const sessionsInMemory: Check = ({ inside, settings: { mode } }) => {
  if (!inside?.session?.memory || mode !== 'production') return undefined;
  return {
    id: 'sessions-in-memory',
    found: 'NODE_ENV is production, and sessions are kept in the memory of one process.',
    cause:
      'express-session has no option store. A restart logs everybody out, and a second process knows nobody.',
    mend: 'Hand in a store: connect-redis or connect-pg-simple, as in docs/scaling.md.',
  };
};

export const sessionChecks: readonly Check[] = [
  sessionMissing,
  sessionUnsupported,
  cookieNeverSet,
  trustProxyMissing,
  cookieNotSecure,
  cookieWithoutPrefix,
  cookieSameSiteNone,
  cookieForScripts,
  sessionRevived,
  sessionStoreAway,
  sessionsInMemory,
];
