import type { Facts, SessionFacts } from './facts.js';

// All that can be set up wrong around a router, once: the page, the terminal, `pidgate dev`, `doctor` and `explain` read it.
// Nobody loads it in production.

export interface Mistake {
  readonly id: string;
  /** What is wrong, wherever it is seen. */
  readonly what: string;
  /** Whether these facts show it. A text says more of what was seen: addresses, names and codes, never a key or a secret. */
  readonly holds: (facts: Facts) => boolean | string | undefined;
  readonly cause: string;
  readonly fix: string;
}

/** A mistake that holds. */
export interface Finding {
  readonly id: string;
  readonly observed: string;
  readonly cause: string;
  readonly fix: string;
}

/** What can be set up wrong, in the order in which it is best fixed. */
export const mistakes = [
  // The environment.
  {
    id: 'environment-incomplete',
    what: 'The environment has only some of the variables that an app needs',
    holds: ({ unset = [] }) => unset.length > 0 && `not ${unset.join(', ')}`,
    cause: 'A line is missing or empty where the environment is set.',
    fix: 'Set the missing variables, or the equivalent options in code.',
  },
  {
    id: 'service-address-unsafe',
    what: 'The address of the service is not https, so the key was not sent there',
    holds: ({ serviceAddress }) => serviceAddress === 'unsafe',
    cause: 'IDENTITY_BASE_URL (or the option baseUrl) is misspelled, contains a user name, or is plain http.',
    fix: 'Use the address that the service gave you, with https://. The app does not start with this one.',
  },
  {
    id: 'app-url-unsafe',
    what: 'The public address of the app is not https',
    holds({ appUrl, isLocal, asksWallets, serviceAddress }) {
      const isPlainFine =
        isLocal && (asksWallets || serviceAddress === 'local' || serviceAddress === undefined);
      return appUrl?.protocol === 'http:' && !isPlainFine && appUrl.origin;
    },
    cause: 'APP_URL (or --url) is written with http. Presentations and cookies would travel unencrypted.',
    fix: 'Serve the app over https and write https in APP_URL. http is for localhost, with a service on localhost.',
  },
  {
    id: 'app-url-of-router',
    what: "The app's address contains the path of the router",
    // A proxy may take that very path off: then the kit's page is where the address says.
    holds: ({ appUrl, paths, isReached }) =>
      paths !== undefined && !isReached && `${appUrl?.pathname}/`.includes(`${paths.mount}/`) && appUrl?.href,
    cause: 'appUrl (or APP_URL, or --url) is the address of the app; the kit adds its own path to it.',
    fix: 'Remove the path of the router, and what follows it, from appUrl (or APP_URL, or --url).',
  },
  {
    id: 'sandbox-in-production',
    what: 'The issuer is xx-sandbox, but NODE_ENV is production',
    holds: ({ issuer, mode }) => issuer === 'xx-sandbox' && mode === 'production',
    cause: 'IDENTITY_ISSUER still has the value of the test environment. Such a result proves nothing.',
    fix: 'Set IDENTITY_ISSUER to the issuer that you trust, with an entry in the option trust.',
  },
  {
    id: 'secrets-equal',
    what: 'IDENTITY_SECRET and SESSION_SECRET have the same value',
    holds: ({ oneSecretForBoth }) => oneSecretForBoth,
    cause:
      'One was copied from the other. Whoever learns one of them can then open both the sessions and the flows in the store.',
    fix: `Make a new value for IDENTITY_SECRET: node -p "crypto.randomBytes(32).toString('base64url')"`,
  },

  // Where the router is, and what stands in front of it.
  {
    id: 'app-unreachable',
    what: 'The app returned nothing usable',
    holds: ({ page }) => page?.why,
    cause: 'The app is not running, listens elsewhere, or its name or certificate is wrong.',
    fix: 'Start the app, and set its address with --url or APP_URL. Until then the other checks of the app mean nothing.',
  },
  {
    id: 'not-mounted',
    what: 'There is nothing at an address of the router',
    holds: ({ page, callback, paths }) =>
      page?.status === 404 && callback?.error === undefined && paths?.start,
    cause:
      'The router is not mounted, is mounted below something that responds first, or at a different path.',
    fix: "Write app.use('/identity', identity), after the session, and above your handler for 404. For a different path, set the option path, and name it to doctor (--path) or pidgate dev (--callback).",
  },
  {
    id: 'start-not-there',
    what: 'There is nothing at the address of the start, although the router is there',
    holds: ({ page, callback, paths }) =>
      page?.status === 404 && callback?.error !== undefined && paths?.start,
    cause: 'The option routes renames or disables the start, or every start has the name of a question.',
    fix: 'Run doctor with --entry, which knows the routes and the names.',
  },
  {
    id: 'start-shadowed',
    what: 'Something above the router shows a page at the address of the start',
    holds: ({ page, paths }) => page?.status === 200 && page.isKits === false && paths?.start,
    cause:
      'A catch-all route, the fallback of a single-page app or a log-in page is mounted above the router.',
    fix: 'Mount the router above it. If people must log in before the start, run doctor with --entry.',
  },
  {
    id: 'mounted-elsewhere',
    what: 'The router is not mounted at its option path',
    holds: ({ mountedAt, paths }) =>
      mountedAt !== undefined && `at ${mountedAt}, and its option is ${paths?.mount}`,
    cause: 'app.use(…) and the option path differ, so no address that the kit makes would work.',
    fix: 'Make them the same: give app.use(…) the path of the option, or the option path that of app.use(…).',
  },
  {
    id: 'app-url-unknown',
    what: 'The app does not know its own address',
    holds: ({ page, appUrl }) => page?.isOriginUnknown && appUrl?.origin,
    cause:
      'The option appUrl (or APP_URL) has a different host or port, or a proxy in front sends its own Host and Express does not read X-Forwarded-Host. localhost and 127.0.0.1 are different hosts.',
    fix: "Set appUrl to the public origin. Behind a proxy that changes Host: app.set('trust proxy', 1).",
  },
  {
    id: 'app-url-without-prefix',
    what: 'A proxy in front takes off a path that appUrl does not have',
    holds({ page, prefix }) {
      if (page?.leadsTo !== undefined) return page.leadsTo;
      return prefix !== undefined && prefix.taken !== prefix.known && prefix.taken;
    },
    cause:
      'The app and the proxy in front of it do not agree on the path that the proxy strips, so start and return lead past it.',
    fix: 'Set appUrl to the whole public address, including that path.',
  },
  {
    id: 'policy-replaced',
    what: "The start page does not have the kit's own Content-Security-Policy",
    holds: isReplaced('content-security-policy'),
    cause:
      'A proxy, or middleware that changes headers as they are sent, sets or adds a policy of its own. A form-action there silently blocks the redirect to the wallet.',
    fix: "Leave this header unchanged on the addresses below the kit's path.",
  },
  {
    id: 'referrer-policy-replaced',
    what: "The start page does not have the kit's own Referrer-Policy",
    holds: isReplaced('referrer-policy'),
    cause:
      'A proxy, or middleware that changes headers as they are sent, sets this header. Under no-referrer a browser sends Origin: null, and the start is refused.',
    fix: "Leave this header unchanged on the addresses below the kit's path.",
  },
  {
    id: 'page-cached',
    what: 'The start page does not have Cache-Control: no-store',
    holds: isReplaced('cache-control'),
    cause: 'A proxy, a CDN, or middleware that changes headers as they are sent, sets the header.',
    fix: "Exclude the addresses below the kit's path from every cache.",
  },
  {
    id: 'start-blocked',
    what: 'Something before the kit answers POST at the address of the start',
    // The kit refuses a start that is from no page of the app in its own words. Anybody else's refusal comes before it.
    holds: ({ page, post }) =>
      page?.isKits === true &&
      post?.error === undefined &&
      [400, 401, 403, 415, 419].includes(post?.status ?? 0) &&
      `with ${post?.status}`,
    cause:
      "A CSRF check is mounted above the kit, and the kit's own form does not have its token; or a log-in or a check of the body that only POST has to pass.",
    fix: 'Mount the kit above that check. Mount a log-in with app.use, so that it stands before GET too. The kit itself refuses a start that did not come from a page of the app.',
  },
  {
    id: 'page-open',
    what: 'A guarded page opens for somebody who has verified nothing',
    holds: ({ open }) => open?.isData === false && open.address,
    cause:
      'No guard stands in front of what answers there: the handler of the page, or something above it, such as express.static.',
    fix: "Put identity.require() in front of the page's handler, and of whatever else answers there.",
  },
  {
    id: 'page-data-open',
    what: 'The data of a guarded page is open to somebody who has verified nothing',
    holds: ({ open }) => open?.isData === true && open.address,
    cause:
      'A framework serves the data of the page there, and a guard sees only the address at which it stands.',
    fix: 'Check identity.of(req) where the data is read, such as in getServerSideProps of Next.js or in a loader of React Router: docs/your-app.md has both.',
  },
  {
    id: 'guard-above-router',
    what: 'A guard stands above the router',
    holds: ({ guards, callback }) =>
      guards?.is === 'router'
        ? guards.path
        : (callback?.error === 'identity_required' || callback?.error === 'identity_stale') &&
          `it answers the callback with ${callback.status}`,
    cause:
      'A guard for the whole app, such as app.use(identity.require()), comes first: nobody reaches the start.',
    fix: "Mount app.use('/identity', identity) above the guard.",
  },
  {
    id: 'error-page-guarded',
    what: 'A guard protects the page of errorRedirect',
    holds: ({ guards }) => guards?.is === 'errorRedirect' && guards.path,
    cause: 'Whoever declines is asked again at once, in a circle.',
    fix: 'Give errorRedirect a page without identity.require.',
  },

  // The session and its cookie.
  {
    id: 'session-missing',
    what: 'There is no session',
    holds: ({ session }) => session === 'missing',
    cause: 'express-session is not mounted, is mounted below the kit, or its store has no connection.',
    fix: 'Mount express-session above the kit and above routes that use it, and check its store.',
  },
  {
    id: 'session-below',
    what: 'express-session is mounted below the router',
    holds: ({ session }) => session === 'below',
    cause: 'Express runs what is mounted in its order, so the router gets a request without a session.',
    fix: 'Move app.use(session(…)) above the line that mounts the router.',
  },
  {
    id: 'session-pathless',
    what: 'express-session is mounted, and there is no session at the path of the router',
    holds: ({ session, paths }) => session === 'pathless' && (paths?.mount ?? true),
    cause:
      'cookie.path is that of another part of the app, or something above the router ended the session of this request (req.session.destroy).',
    fix: "Leave cookie.path out: it is '/' by default. End sessions in a route of their own.",
  },
  {
    id: 'session-unsupported',
    what: 'The session is not one of express-session',
    holds: ({ session }) => session === 'unsupported',
    cause:
      'A different middleware, such as cookie-session, sets req.session. It has no store and cannot change its id.',
    fix: 'Mount express-session in place of that middleware, with its default genid or a random one.',
  },
  {
    id: 'trust-proxy',
    what: 'A proxy forwards the requests, but Express does not trust it',
    holds: ({ isForwarded, trustsProxy }) => isForwarded === true && trustsProxy === false,
    cause:
      "'trust proxy' is not set, or not to the address of the proxy. So Express takes https for http and the proxy's host for yours, and a Secure session cookie is never set.",
    fix: "app.set('trust proxy', 1) for one proxy in front.",
  },
  {
    id: 'cookie-secure-on-http',
    what: 'The session cookie is Secure, but the app is reached over http',
    holds: ofSession(
      ({ secure, cameBack }, { isHttps, appUrl }) =>
        secure && !cameBack && isHttps === false && (appUrl?.origin ?? true),
    ),
    cause:
      'cookie.secure is true. express-session does not set such a cookie over http, so no verification can finish.',
    fix: "Set cookie.secure to 'auto', or use https.",
  },
  {
    id: 'cookie-not-secure',
    what: 'The app is on https, but its session cookie is not Secure',
    holds: ofSession(
      ({ secure, unresolved }, { appUrl, trustsProxy }) =>
        !secure && unresolved !== 'secure' && appUrl?.protocol === 'https:' && trustsProxy && appUrl.origin,
    ),
    cause: 'cookie.secure is not set. The cookie would also be sent over http, where others can read it.',
    fix: "Set cookie.secure to 'auto'.",
  },
  {
    id: 'cookie-without-prefix',
    what: 'The name of the session cookie does not begin with __Host-',
    holds: ofSession(
      ({ secure, name = '__Host-' }, { appUrl, trustsProxy }) =>
        secure &&
        trustsProxy &&
        appUrl?.protocol === 'https:' &&
        hasNeighbours(appUrl) &&
        !name.startsWith('__Host-') &&
        name,
    ),
    cause:
      "Any other subdomain of your domain can then plant a session of its choice in your visitors' browsers.",
    fix: "Write name: '__Host-session', with cookie.path '/' and without cookie.domain, as in docs/sessions.md.",
  },
  {
    id: 'cookie-same-site-none',
    what: 'The session cookie is SameSite=None without Secure',
    holds: ofSession(({ secure, sameSite, cameBack }) => sameSite === 'none' && !secure && !cameBack),
    cause: 'Browsers refuse such a cookie, so every start would be lost.',
    fix: "Set sameSite to 'lax'. The kit does not need None.",
  },
  {
    id: 'cookie-same-site-auto',
    what: 'The session cookie is SameSite=Lax on http, but SameSite=None on https',
    holds: ofSession(({ sameSiteVaries }) => sameSiteVaries),
    cause: "cookie.sameSite is 'auto'. Every other site can then send requests with the visitor's session.",
    fix: "Set sameSite to 'lax'. The kit does not need None.",
  },
  {
    id: 'cookie-function',
    what: "An attribute of the session cookie is still the word 'auto', so browsers get no cookie",
    holds: ofSession(({ unresolved }) => unresolved),
    cause:
      "cookie is a function, and express-session resolves 'auto' only in an object (sameSite: 'auto' since 1.19).",
    fix: "Return secure: req.secure and sameSite: 'lax' from the function, or write an object.",
  },
  {
    id: 'cookie-domain',
    what: 'The domain of the session cookie is not that of the app',
    holds: ofSession(({ domain = '' }, { appUrl }) => {
      const bare = domain.replace(/^\./, '').toLowerCase();
      return bare !== '' && !`.${appUrl?.hostname}`.endsWith(`.${bare}`) && bare;
    }),
    cause:
      'cookie.domain is set. Browsers drop a cookie for a different domain, so every start would be lost.',
    fix: 'Remove cookie.domain: the cookie is then for the host of the app, wherever it runs.',
  },
  {
    id: 'cookie-partitioned',
    what: 'The session cookie is Partitioned',
    holds: ofSession(({ partitioned }) => partitioned),
    cause: 'cookie.partitioned is true. Safari loses such a cookie after redirects from another site.',
    fix: 'Remove partitioned: people return from the wallet by such a redirect.',
  },
  {
    id: 'cookie-too-short',
    what: 'The session cookie ends before a verification may',
    holds: ofSession(
      ({ life }, { flowTtl }) =>
        // express-session works the life out from the end of the cookie, so it may be a moment shorter than what the app set.
        life !== undefined &&
        flowTtl !== undefined &&
        life + 1_000 < flowTtl &&
        `after ${life} milliseconds, and flowTtl is ${flowTtl}`,
    ),
    cause: 'cookie.maxAge is less than flowTtl. It is in milliseconds, not in seconds.',
    fix: 'Give cookie.maxAge at least as many milliseconds as flowTtl has. Otherwise, whoever takes longer in the wallet has to start again.',
  },
  {
    id: 'cookie-before-kept',
    what: 'The session cookie ends before what is kept does',
    holds: ({ outlives }) =>
      outlives !== undefined &&
      `${outlives.name} is ${outlives.wished}, and the cookie lasts ${outlives.cookie}`,
    cause:
      'What is kept lies in the session and ends with it, so people verify again then, unless onSuccess makes the cookie longer.',
    fix: 'Give cookie.maxAge as many milliseconds as keepFor (or maxAge of the guard) has, or make that shorter.',
  },
  {
    id: 'cookie-for-scripts',
    what: 'Scripts on your pages can read the session cookie',
    holds: ofSession(({ httpOnly }) => httpOnly === false),
    cause: 'cookie.httpOnly is false.',
    fix: 'Remove httpOnly: true is the default.',
  },
  {
    id: 'session-revived',
    what: 'A session that ends while one of its requests is running is stored again afterwards',
    holds: ofSession(({ revives }) => revives),
    cause: 'resave is true, which is the default of express-session. This undoes a log-out in another tab.',
    fix: 'Write resave: false.',
  },
  {
    id: 'subject-missing',
    what: 'Somebody seems to be logged in, and the option subject is missing',
    holds: ({ loggedIn }) => loggedIn !== undefined && `write subject: (req) => ${loggedIn}`,
    cause: 'What one person proved then counts for the next one who logs in here.',
    fix: 'Let the option subject return the id of who is logged in, as a text, and undefined where nobody is.',
  },
  {
    id: 'session-store-away',
    what: 'The session store could not write, read and remove a session',
    holds: ofSession(({ away }) => away),
    cause: 'Its server is down, its credentials or its table are wrong, or it is full.',
    fix: "Check the server of the session store and the app's log.",
  },
  {
    id: 'sessions-in-memory',
    what: 'NODE_ENV is production, but sessions are kept in the memory of one process',
    holds: ofSession(({ memory }, { mode }) => memory && mode === 'production'),
    cause:
      'express-session has no option store. A restart logs everyone out, and a second process does not see the sessions.',
    fix: 'Set a store that all processes share, as in docs/scaling.md.',
  },
  {
    id: 'session-secret-differs',
    what: 'A second process of this app does not read the session cookies of the first',
    holds: ofSession(({ readsOther }) => readsOther === false),
    cause: 'The secret (or the name of the cookie) is made anew in each process, such as by randomBytes.',
    fix: 'Read the secret from the environment, the same for all processes.',
  },

  // What the service meets.
  {
    id: 'callback-redirected',
    what: 'Something before the kit redirects the callback',
    holds: onCallback(({ status }) => status >= 300 && status < 400),
    cause: 'A log-in wall, or a rule that redirects http to https or adds a slash, comes before the kit.',
    fix: 'Let this address through: a wallet or a service has no cookie and does not follow redirects. A service needs the final address.',
  },
  {
    id: 'callback-forbidden',
    what: 'Something before the kit refuses the callback',
    holds: onCallback(({ status, error }) => [401, 403, 419].includes(status) && error === undefined),
    cause: 'A CSRF check, basic authentication, a firewall or a log-in wall comes before the kit.',
    fix: 'Mount the kit above that check, or let this address through: the callback has no cookie and no token.',
  },
  {
    id: 'callback-missing',
    what: 'There is nothing at the address of the callback, although the start page exists',
    holds: onCallback(({ status, error }) => status === 404 && error === undefined),
    cause: 'The route is renamed or disabled (option routes), or a proxy does not let it through.',
    fix: 'Look at the rules of the proxy and the option routes. If a service calls back, compare its Redirect URL with them.',
  },
  {
    id: 'body-consumed',
    what: 'Something reads the body of the callback before the kit can',
    holds: onCallback(({ error }) => error === 'body_consumed'),
    cause: 'A body parser, a logger or a proxy middleware is mounted above the kit.',
    fix: 'Mount the kit above that middleware.',
  },
  {
    id: 'callback-limited',
    what: 'A rate limiter answers the callback',
    holds: onCallback(({ status }) => status === 429),
    cause:
      'A rate limiter stands in front of the callback. Those of a service, or of wallets behind one mobile network, come from one address, so somebody who cancels many verifications of their own keeps out those of everybody else.',
    fix: 'Limit only the start, never the callback: all callbacks may come from one address. The kit itself bounds what they cost.',
  },
  {
    id: 'callback-unlike-interface',
    what: 'A malformed callback is not answered with 400 and JSON',
    holds: onCallback(({ status, error, type }) => {
      if (
        error === undefined &&
        ([401, 403, 404, 419, 429].includes(status) || (status >= 300 && status < 400))
      )
        return false;
      const isTold = ['body_consumed', 'config_invalid', 'identity_required', 'identity_stale'].includes(
        error ?? '',
      );
      return (
        !isTold && (status !== 400 || error !== 'callback_malformed' || !type.startsWith('application/json'))
      );
    }),
    cause:
      "A proxy that takes no body of this length, or a body parser, a check of the media type or a proxy, which changes the body, responds itself, or changes the router's response.",
    fix: 'Mount the router above that parser or check. To see what responds, call the address with curl: the router says callback_malformed.',
  },
  {
    id: 'callback-unreachable',
    what: 'The callback gets no usable response',
    holds: ({ callback, page, paths }) =>
      page?.status !== undefined && callback?.why !== undefined && `POST ${paths?.callback}: ${callback.why}`,
    cause:
      'A firewall or a proxy lets no POST through, or middleware before the kit waits forever or breaks the connection.',
    fix: 'Open this address for POST from everywhere (with a service, from the service), and mount the kit above that middleware.',
  },
  {
    id: 'body-lost',
    what: 'The body of the callback does not reach the kit intact',
    // A state that no kit makes is no event. If there was one, the kit saw another body than the one that was sent.
    holds: ({ callback }) => callback?.status === 400 && callback.isEvent,
    cause: 'A body parser, a logger or a proxy middleware above the kit reads the body and replaces it.',
    fix: 'Mount the kit above that middleware.',
  },

  // The service itself.
  {
    id: 'service-unreachable',
    what: 'The service cannot be reached',
    holds: ({ service }) => service?.why !== undefined && `${service.host}: ${service.why}`,
    cause: 'The address is wrong, a firewall or a proxy is in between, or the service is down.',
    fix: 'Compare IDENTITY_BASE_URL with the portal of the service, and call it with curl from this machine.',
  },
  {
    id: 'key-refused',
    what: 'The service rejects the API key',
    holds: ({ service }) => service?.status === 401 && service.error === 'error_api_key',
    cause: 'The key is misspelled, was replaced, or belongs to a different environment of the service.',
    fix: 'Copy the key of this environment from the portal into IDENTITY_API_KEY.',
  },
  {
    id: 'account-refused',
    what: 'The service accepts the key but rejects the account',
    holds: ({ service }) => service?.error === 'error_account',
    cause: 'The account is not set up for the API, or is suspended.',
    fix: 'Ask the service to set up the account.',
  },
  {
    id: 'service-unlike-interface',
    what: 'What answers does not follow the interface of the service',
    // A body without a question is refused by the interface with 400 and a code.
    holds({ service: { status, error, host } = { host: '' } }) {
      const isLike =
        error === 'error_api_key' || error === 'error_account' || (status === 400 && error !== undefined);
      return status !== undefined && !isLike && `${host} answers POST /prove with ${status}`;
    },
    cause: 'The address belongs to something else, its path is wrong, or the service is failing.',
    fix: 'Compare IDENTITY_BASE_URL with the portal. It is the address without /prove.',
  },
  {
    id: 'clock-skewed',
    what: 'The clock of this machine differs from that of the service, or of the app',
    // The tolerance for when a credential was issued is five seconds.
    holds({ skew = 0, asksWallets }) {
      const seconds = Math.round(Math.abs(skew));
      return (
        Math.abs(skew) > 5 &&
        `${seconds} seconds ${skew > 0 ? 'ahead of' : 'behind'} the ${asksWallets ? 'app' : 'service'}`
      );
    },
    cause: 'Time synchronisation (NTP) is not running here or there, or a machine was asleep.',
    fix: 'Turn on time synchronisation. Valid presentations are rejected as expired or not yet valid.',
  },

  // Wallets, trust and stores.
  {
    id: 'request-stopped',
    what: 'Something before the kit stops wallets at the address of their requests',
    holds({ request, page, paths }) {
      if (request === undefined || page?.status === undefined || page.status === 404) return false;
      if (request.error === 'state_unknown') return false;
      const seen =
        request.status === undefined
          ? `gets no response: ${request.why}`
          : `is answered with ${request.status}`;
      return `GET ${paths?.request} ${seen}`;
    },
    cause:
      'A log-in, a CSRF check, a guard, a redirect or a proxy stands in front of it. A wallet has neither cookie nor token.',
    fix: 'Let this address through, for GET and POST, and the callback too. Mount the router above that check.',
  },
  {
    id: 'access-key-wrong',
    what: 'The access key does not sign',
    holds: ({ signs = 'good' }) => signs !== 'good' && signs.replace(/\.$/, ''),
    cause:
      'The function in wallets.key fails here, uses another key, or signs with another algorithm than ES256.',
    fix: 'Let it sign the bytes that it is given with the key of the access certificate: ECDSA on P-256 with SHA-256.',
  },
  {
    id: 'access-expires-soon',
    what: 'The access certificate ends soon',
    holds: ({ accessEnds }) => accessEnds,
    cause: 'Certificates expire. Nobody asks wallets with one that has ended.',
    fix: 'Get a new one, and put it in front of this one in the option wallets before that day.',
  },
  {
    id: 'anchor-expired',
    what: "A trusted certificate, or that of a list's signer, is not valid now",
    holds: ({ expired = [] }) => expired.join('; '),
    cause: 'The issuer has renewed its certificates, or does not use this one yet.',
    fix: 'Get the current anchors from the issuer (for a list, its signer from its operator), and compare their fingerprints (trustFromPem prints those of anchors).',
  },
  {
    id: 'anchor-expires-soon',
    what: 'A trusted certificate expires within 30 days',
    holds: ({ expiring = [] }) => expiring.join('; '),
    cause: 'Certificates expire. Presentations under an expired one are refused.',
    fix: 'Add the new anchors alongside these before that day.',
  },
  {
    id: 'keys-away',
    what: 'The keys of an issuer cannot be fetched',
    holds: ({ keysAway = [] }) => keysAway.join(', '),
    cause:
      'The jwksUri (or the trustedList.url) of the trust entry is wrong, its server is down, or a firewall is in between.',
    fix: 'Open the address from this machine with curl: it must return 200 with a JWK set (or the signed list).',
  },
  {
    id: 'flows-in-memory',
    what: 'NODE_ENV is production, but verifications are kept in the memory of one process',
    holds: ({ store, mode }) => store?.memory === true && mode === 'production',
    cause:
      'The option store is not set. A callback may reach a different process, or the same one after a restart.',
    fix: 'Use a store that all processes share, as in docs/scaling.md.',
  },
  {
    id: 'flow-secret-differs',
    what: 'A second process of this app does not open the verifications of the first',
    holds: ({ sharesSecret }) => sharesSecret === false,
    cause: 'The option secret is made anew in each process, such as by randomBytes.',
    fix: 'Read it from the environment (IDENTITY_SECRET), the same for all processes.',
  },
  {
    id: 'flow-store-away',
    what: 'The flow store does not work as required',
    holds: ({ store }) => store?.failed !== undefined && `${store.failed} failed`,
    cause:
      'Its server is down, its table does not exist (setup), its client is not connected, or your own store breaks the contract.',
    fix: "Check the server and the app's log. For your own store, run flowStoreContract from pidgate/testing.",
  },
] as const satisfies readonly Mistake[];

export type MistakeId = (typeof mistakes)[number]['id'];

/** Those that these facts show. */
export function findingsIn(facts: Facts): readonly Finding[] {
  return (mistakes as readonly Mistake[]).flatMap(({ id, what, holds, cause, fix }) => {
    const seen = holds(facts);
    if (seen === undefined || seen === false || seen === '') return [];
    return { id, observed: `${what}${seen === true ? '' : ` (${seen})`}.`, cause, fix };
  });
}

/** What the page and the terminal say: what was seen and what to do. */
export const wordsOf = ({ id, observed, fix }: Finding): string =>
  `${observed} ${fix} Why: npx pidgate explain ${id}`;

export const mistakeOf = (id: string): Mistake | undefined => mistakes.find((mistake) => mistake.id === id);

/** For a place that has its own words for what it saw. */
export const fixOf = (id: MistakeId): string => mistakeOf(id)?.fix ?? '';

/** The same, with the cause before it. */
export const adviceOn = (id: MistakeId): string => `${mistakeOf(id)?.cause} ${fixOf(id)}`;

function ofSession(
  look: (session: SessionFacts, facts: Facts) => boolean | string | undefined,
): Mistake['holds'] {
  return (facts) => (typeof facts.session === 'object' ? look(facts.session, facts) : undefined);
}

function isReplaced(header: string): Mistake['holds'] {
  return ({ page }) => page?.isKits === true && page.replaced?.includes(header);
}

/** What came back of the callback, where the app answers at all and the kit is somewhere in it. */
function onCallback(
  fits: (reply: {
    readonly status: number;
    readonly error: string | undefined;
    readonly type: string;
  }) => boolean,
): Mistake['holds'] {
  return ({ callback, page, paths }) => {
    if (callback?.status === undefined || page?.status === undefined || page.status === 404) return false;
    const { status, error, type = '' } = callback;
    return fits({ status, error, type }) && `POST ${paths?.callback} returns ${status}`;
  };
}

/** A host that has a parent domain: an app beside it could set a cookie for both. */
function hasNeighbours({ hostname }: URL): boolean {
  return hostname.includes('.') && !hostname.startsWith('[') && !/^[\d.]+$/.test(hostname);
}
