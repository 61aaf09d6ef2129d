/** What `pidgate doctor` finds, by id, in the order in which it looks: what it saw, in a line for docs/errors.md. */
export const doctorFindings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Configuration: {
    'environment-incomplete':
      'of the variables of the environment that the app needs, some are set and some are not',
    'service-address-unsafe': 'the address of the service is not https, so the doctor does not send the key',
    'app-url-unsafe': 'the public address of the app is not https',
    'app-url-of-router': "the app's address contains the path of the router, which pidgate adds itself",
    'sandbox-in-production': 'the issuer is that of the sandbox, but `NODE_ENV` is `production`',
    'secrets-equal': '`IDENTITY_SECRET` and `SESSION_SECRET` have the same value',
  },
  App: {
    'app-unreachable': 'nothing usable answers at the address',
    'not-mounted':
      'there is nothing at the address of the start page, or, without `--entry`, every start has the name of a question',
    'start-shadowed': 'something above the router, such as a catch-all, answers instead of it',
    'mounted-elsewhere': '`app.use` and the option `path` differ',
    'app-url-unknown': '`appUrl` is wrong, or a proxy changes `Host` or strips a path',
    'policy-replaced':
      'a proxy, or middleware below the router, replaces the Content-Security-Policy of the start page',
    'referrer-policy-replaced': 'the same, with the Referrer-Policy',
    'page-cached': 'the same, with `Cache-Control`',
    'start-blocked': 'a CSRF check or a log-in above the router refuses the form of the start page',
    'page-open': 'the page of `--page`, or its data, is open to people who have not verified',
  },
  Session: {
    'session-missing': 'pidgate finds no session',
    'session-unsupported': 'the session is not that of express-session',
    'cookie-secure-on-http': 'the cookie is `Secure`, but the app is on http',
    'trust-proxy': 'https ends at a proxy, and Express does not know it',
    'cookie-not-secure': 'the app is on https, but the cookie is not `Secure`',
    'cookie-without-prefix':
      'the name of the cookie has no `__Host-`, so other subdomains can plant a session',
    'cookie-same-site-none': 'the cookie is `SameSite=None` but not `Secure`, and browsers refuse it',
    'cookie-same-site-auto': "the cookie is `SameSite=None` on https, because `cookie.sameSite` is `'auto'`",
    'cookie-function': "`cookie` is a function that returns `'auto'`, which works only in an object",
    'cookie-domain': '`cookie.domain` is not the domain of the app',
    'cookie-partitioned':
      'the cookie is `Partitioned`, and Safari loses it after redirects from another site',
    'cookie-too-short': 'the cookie lasts for less time than a verification may take',
    'cookie-for-scripts': '`httpOnly` is off, so scripts can read the cookie',
    'session-revived': '`resave: true` can bring back a session that has ended',
    'session-store-away': 'the session store cannot write, read and remove a session',
    'sessions-in-memory': 'in production, the sessions are in the memory of one process',
    'session-secret-differs': 'a second process of the app cannot read the cookies of the first',
  },
  Callback: {
    'callback-redirected': 'something before the router redirects the callback',
    'callback-forbidden': 'something before the router refuses the callback, such as a firewall',
    'callback-guarded': '`identity.require` stands above the router',
    'callback-missing': 'there is nothing at the address of the callback, although there is a start page',
    'body-consumed': 'something above the router reads the body first',
    'callback-limited': 'a rate limiter refuses the callback',
    'callback-unlike-interface': 'the answer to a malformed callback is not that of pidgate',
    'callback-unreachable': 'the callback gets no usable answer',
    'body-lost': 'something above the router reads the body and replaces it',
  },
  Service: {
    'service-unreachable': 'the service cannot be reached',
    'key-refused': 'the service refuses the API key',
    'account-refused': 'the service accepts the key, but refuses the account',
    'service-unlike-interface': 'what answers does not follow the interface of the service',
    'clock-skewed': 'the clocks of this machine and the service differ by more than five seconds',
  },
  'Trust and stores': {
    'anchor-expired': "a trusted certificate, or that of a list's signer, is not valid now",
    'anchor-expires-soon': 'such a certificate expires within 30 days',
    'keys-away': 'the keys or the list of an issuer cannot be fetched',
    'flows-in-memory': 'in production, the flows are in the memory of one process',
    'flow-store-away': 'the flow store does not work as it must',
    'flow-secret-differs': 'a second process of the app cannot open the flows of the first',
  },
};
