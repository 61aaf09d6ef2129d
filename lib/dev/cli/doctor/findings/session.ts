import { type DoctorCheck, jsonOf } from '../finding.js';

const statusCode = (body: string): unknown => jsonOf(body)['error'];

const sessionMissing: DoctorCheck = ({ status }) => {
  if (status.kind !== 'reply' || statusCode(status.body) !== 'session_missing') return undefined;
  return {
    id: 'session-missing',
    observed: 'The kit finds no session.',
    cause: 'express-session is not mounted, is mounted after the kit, or its store has no connection.',
    fix: "Mount express-session above app.use('/identity', identity), and check its store.",
  };
};

const sessionUnsupported: DoctorCheck = ({ status }) => {
  if (status.kind !== 'reply' || statusCode(status.body) !== 'session_unsupported') return undefined;
  return {
    id: 'session-unsupported',
    observed: 'The session is not from express-session.',
    cause:
      'A different middleware, such as cookie-session, sets req.session. It has no store and cannot change its id.',
    fix: 'Mount express-session in place of that middleware.',
  };
};

const cookieNeverSet: DoctorCheck = ({ inside, settings: { appUrl } }) => {
  if (!inside?.session?.secure || appUrl.protocol === 'https:') return undefined;
  return {
    id: 'cookie-secure-on-http',
    observed: `The session cookie is Secure, but the app is at ${appUrl.origin}.`,
    cause:
      'cookie.secure is true. express-session does not set such a cookie over http, so no verification can finish.',
    fix: "Write cookie: { secure: 'auto' }, or serve the app over https.",
  };
};

const trustProxyMissing: DoctorCheck = ({ inside, settings: { appUrl } }) => {
  if (inside === undefined || appUrl.protocol !== 'https:' || inside.secure) return undefined;
  return {
    id: 'trust-proxy',
    observed: `${appUrl.origin} is https, but Express treats the requests from the proxy as http.`,
    cause: inside.trustsProxy
      ? "'trust proxy' is set, but not to the address of the proxy."
      : "'trust proxy' is not set, so that X-Forwarded-Proto and X-Forwarded-Host are not read.",
    fix: "app.set('trust proxy', 1) for one proxy in front. Without it, a Secure session cookie is never set.",
  };
};

const cookieNotSecure: DoctorCheck = ({ inside, settings: { appUrl } }) => {
  const { session } = inside ?? {};
  if (session === undefined || session.secure || session.unresolved === 'secure') return undefined;
  if (appUrl.protocol !== 'https:' || !inside?.secure) return undefined;
  return {
    id: 'cookie-not-secure',
    observed: `The app is at ${appUrl.origin}, but its session cookie is not Secure.`,
    cause: 'cookie.secure is not set. The cookie would also be sent over http, where others can read it.',
    fix: "Write cookie: { secure: 'auto' }.",
  };
};

/** A host that has a parent domain: an app beside it could set a cookie for both. */
const hasNeighbours = ({ hostname }: URL): boolean =>
  hostname.includes('.') && !hostname.startsWith('[') && !/^[\d.]+$/.test(hostname);

const cookieWithoutPrefix: DoctorCheck = ({ inside, settings: { appUrl } }) => {
  const { session, secure } = inside ?? {};
  if (!session?.secure || secure !== true || appUrl.protocol !== 'https:' || !hasNeighbours(appUrl))
    return undefined;
  if (session.name === undefined || session.name.startsWith('__Host-')) return undefined;
  return {
    id: 'cookie-without-prefix',
    observed: `The name of the session cookie, ${session.name}, does not begin with __Host-.`,
    cause:
      "Any other subdomain of your domain can then plant a session of its choice in your visitors' browsers.",
    fix: "Write name: '__Host-session', with cookie.path '/' and without cookie.domain, as in docs/sessions.md.",
  };
};

const cookieSameSiteNone: DoctorCheck = ({ inside }) => {
  if (inside?.session?.sameSite !== 'none' || inside.session.secure) return undefined;
  return {
    id: 'cookie-same-site-none',
    observed: 'The session cookie is SameSite=None but not Secure.',
    cause: 'Browsers refuse such a cookie, so every start would be lost.',
    fix: "Write sameSite: 'lax'. The kit does not need None.",
  };
};

const cookieSameSiteAuto: DoctorCheck = ({ inside }) => {
  if (!inside?.session?.sameSiteVaries) return undefined;
  return {
    id: 'cookie-same-site-auto',
    observed: 'The session cookie is SameSite=Lax on http, but SameSite=None on https.',
    cause: "cookie.sameSite is 'auto'. Every other site can then send requests with the visitor's session.",
    fix: "Write sameSite: 'lax'. The kit does not need None.",
  };
};

const cookieFunction: DoctorCheck = ({ inside }) => {
  const name = inside?.session?.unresolved;
  if (name === undefined) return undefined;
  return {
    id: 'cookie-function',
    observed: `The session cookie's ${name} is still the word 'auto': browsers ${name === 'secure' ? 'get no cookie over http' : 'get no cookie at all'}.`,
    cause:
      "cookie is a function, and express-session resolves 'auto' only in an object (sameSite: 'auto' since 1.19).",
    fix: "Return secure: req.secure and sameSite: 'lax' from the function, or write an object.",
  };
};

const cookieOfOtherDomain: DoctorCheck = ({ inside, settings: { appUrl } }) => {
  const domain = inside?.session?.domain?.replace(/^\./, '').toLowerCase();
  if (!domain || `.${appUrl.hostname}`.endsWith(`.${domain}`)) return undefined;
  return {
    id: 'cookie-domain',
    observed: `The session cookie is for ${domain}, but the app is at ${appUrl.origin}.`,
    cause:
      'cookie.domain is set. Browsers drop a cookie for a different domain, so every start would be lost.',
    fix: 'Remove cookie.domain: the cookie is then for the host of the app, wherever it runs.',
  };
};

const cookiePartitioned: DoctorCheck = ({ inside }) => {
  if (!inside?.session?.partitioned) return undefined;
  return {
    id: 'cookie-partitioned',
    observed: 'The session cookie is Partitioned.',
    cause: 'cookie.partitioned is true. Safari loses such a cookie after redirects from another site.',
    fix: 'Remove partitioned: people return from the wallet by such a redirect.',
  };
};

const cookieTooShort: DoctorCheck = ({ inside }) => {
  const { session, config } = inside ?? {};
  const { life } = session ?? {};
  if (life === undefined || config === undefined || life >= config.flowTtl) return undefined;
  return {
    id: 'cookie-too-short',
    observed: `The session cookie ends after ${life} ms, and a verification may take ${config.flowTtl} ms.`,
    cause: 'cookie.maxAge is less than flowTtl. It is in milliseconds, not in seconds.',
    fix: 'Write cookie.maxAge in milliseconds, at least flowTtl. Otherwise, whoever takes longer in the wallet has to start again.',
  };
};

const cookieForScripts: DoctorCheck = ({ inside }) => {
  if (inside?.session?.httpOnly !== false) return undefined;
  return {
    id: 'cookie-for-scripts',
    observed: 'Scripts on your pages can read the session cookie.',
    cause: 'cookie.httpOnly is false.',
    fix: 'Remove httpOnly: true is the default.',
  };
};

const sessionRevived: DoctorCheck = ({ inside }) => {
  if (!inside?.session?.revives) return undefined;
  return {
    id: 'session-revived',
    observed: 'A session that ends while one of its requests is running is stored again afterwards.',
    cause: 'resave is true, which is the default of express-session. This undoes a log-out in another tab.',
    fix: 'Write resave: false.',
  };
};

const sessionStoreAway: DoctorCheck = ({ inside }) => {
  if (!inside?.session?.away) return undefined;
  return {
    id: 'session-store-away',
    observed: 'The session store could not write, read and remove a session.',
    cause: 'Its server is down, its credentials or its table are wrong, or it is full.',
    fix: "Check the server of the session store and the app's log.",
  };
};

const sessionsInMemory: DoctorCheck = ({ inside, settings: { mode } }) => {
  if (!inside?.session?.memory || mode !== 'production') return undefined;
  return {
    id: 'sessions-in-memory',
    observed: 'NODE_ENV is production, but sessions are kept in the memory of one process.',
    cause:
      'express-session has no option store. A restart logs everyone out, and a second process does not see the sessions.',
    fix: 'Set a store that all processes share, as in docs/scaling.md.',
  };
};

/** In development one process is the rule, and a secret of its own no mistake: then no other one is asked. */
const secretDiffers: DoctorCheck = ({ inside }) => {
  if (inside?.session?.readsOther !== false) return undefined;
  return {
    id: 'session-secret-differs',
    observed: 'A second process of this app does not read the session cookies of the first.',
    cause: 'The secret (or the name of the cookie) is made anew in each process, such as by randomBytes.',
    fix: 'Read the secret from the environment, the same for all processes.',
  };
};

export const sessionChecks: readonly DoctorCheck[] = [
  sessionMissing,
  sessionUnsupported,
  cookieNeverSet,
  trustProxyMissing,
  cookieNotSecure,
  cookieWithoutPrefix,
  cookieSameSiteNone,
  cookieSameSiteAuto,
  cookieFunction,
  cookieOfOtherDomain,
  cookiePartitioned,
  cookieTooShort,
  cookieForScripts,
  sessionRevived,
  sessionStoreAway,
  sessionsInMemory,
  secretDiffers,
];
