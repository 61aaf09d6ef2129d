import type { KitErrorCode } from '../lib/errors.js';
import type { Texts } from '../lib/options/pages/en.js';
import type { ServiceErrorCode } from '../lib/service/prove/errors.js';

/** What docs/errors.md says about a code, in Markdown. Status and sentence come from the table of codes. */
export interface GuideEntry {
  /** What happened and why. */
  readonly cause: string;
  /** What to do. */
  readonly fix: string;
  /** The title of the page that a person sees; absent where no page of the kit shows it. */
  readonly page?: Extract<keyof Texts, `${string}_title`>;
  /** A table, or a fenced block that the fix refers to. */
  readonly more?: string;
}

const askService = fence(
  'sh',
  `curl -sS -i -X POST "$IDENTITY_BASE_URL/prove" -H "Authorization: Bearer $IDENTITY_API_KEY" -H 'Content-Type: application/json' -d '{}'`,
);

function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** A code without an entry does not compile. */
export const errorGuide: Readonly<Record<KitErrorCode | ServiceErrorCode, GuideEntry>> = {
  attribute_invalid: {
    page: 'unusable_title',
    cause:
      '`error.message` names the attribute (`C13`) or derived result (`C15`). `variant` does not match the service (dates: `DD-MM-YYYY` in `base`, `YYYY-MM-DD` in `derived`), `claims` names the wrong claim, or the issuer deviates, such as with `nationality` as a string.',
    fix: 'Correct `variant`, then `trust[issuer].claims`. Only your own verifier function can accept a deviating issuer.',
  },
  attributes_missing: {
    page: 'incomplete_title',
    cause:
      '`error.message` names the attribute (`C13`) or derived result (`C15`). It was not shared, the issuer lacks it or names it differently, the service did not compute `derived`, or the wallet (such as Credo or wwWallet) cannot disclose elements of a list of nationalities.',
    fix: "Request less; starting again is safe. If everyone fails, set `trust[issuer].claims`: `birth_date: ['birthdate']`.",
  },
  body_consumed: {
    page: 'set_up_title',
    cause:
      "A logger, proxy or parser kept the body, or changed `req.body`. Express's parsers are fine while it keeps plain strings or the bytes.",
    fix: 'Mount the router above whatever reads bodies:',
    more: fence('ts', "app.use('/identity', identity);\napp.use(express.text({ type: '*/*' }));"),
  },
  busy: {
    page: 'busy_title',
    cause:
      'A burst, or a slow service or key endpoint, reached `limits.concurrentStarts` (50) or `limits.concurrentVerifications` (100), or two requests finish one flow: a hook that has not ended keeps the others away for up to 40 seconds. Nothing changed.',
    fix: 'Retry. If it persists, look for slow calls, limit the rate of starts, add processes, or raise the limits.',
  },
  callback_malformed: {
    cause:
      'Such as both `presentation` and `error` or neither, a repeated parameter, or a body incomplete after 10 seconds. It is 408 where the unfinished bodies of all callbacks together held 64 MB and this one had been open longest. Only the reply tells: no flow was touched, no hook runs, and nothing is logged. Scanners and `pidgate doctor` cause some.',
    fix: "None, unless real verifications fail: the portal's Redirect URL must belong to this app alone, and the router be above what reads or replaces bodies (`req.body = …`; on Express 4, `express.json()` leaves `req.body` empty).",
  },
  callback_too_large: {
    cause: 'More than `limits.callbackBytes` (64 kB): junk, or unrequested data such as a portrait.',
    fix: 'None, unless real verifications fail: raise it in small steps, up to 256 kB. A parser above the router has its own.',
  },
  card_blocked: {
    page: 'card_blocked_title',
    cause: 'Three wrong PINs. Only the PUK helps; the page says so and offers no new start.',
    fix: 'None. Offer another way (`pages.otherWay`).',
  },
  config_invalid: {
    page: 'set_up_title',
    cause:
      "`error.message` names the option or variable and its rule. Common: a missing variable, a URL without https, a line break after the API key, no `trust` entry for the issuer, or a sandbox's (recognised by certificates, client id and key ids) outside development and test. Later: a function among the options returned something invalid, a context exceeds `limits.contextBytes`, `identity.of` or `identity.start` lacks a `request`, or the router is not mounted at `path`.",
    fix: 'Follow the message. With node:test, set `NODE_ENV` to `test`.',
  },
  credential_expired: {
    page: 'expired_title',
    cause:
      'Its issuer signed it, and its `exp` has passed (check C04). A forged one is `presentation_invalid`. If everyone fails so, the clock of this machine is wrong.',
    fix: 'None: the person needs a new ID. Offer another way (`pages.otherWay`); trying again cannot help.',
  },
  credential_missing: {
    page: 'credential_missing_title',
    cause:
      "It has no ID, or one of a different issuer or without a requested attribute. `error.serviceCode` is the service's, such as `identity_unavailable`.",
    fix: 'Say beforehand which card is needed; request only attributes that every such ID has.',
  },
  credential_revoked: {
    page: 'revoked_title',
    cause:
      'Its issuer signed it, and the status list says that it is not valid: revoked or suspended (check T15).',
    fix: 'None: the person asks the issuer. Offer another way (`pages.otherWay`); trying again cannot help.',
  },
  credential_status_unavailable: {
    page: 'away_title',
    cause:
      'The status list could not be fetched or trusted (`error.check`), so the credential may be revoked. One known to be revoked is [presentation_invalid](#presentation_invalid), `T15`.',
    fix: "`curl -sS -i -H 'accept: application/statuslist+jwt' https://issuer.example/statuslists/1` must return 200 and a JWT, without redirects. Lists are cached for their `ttl`. `dangerouslyIgnore` would accept stolen credentials.",
    more: `- \`T18\`: unreachable, or slower than four seconds (check the firewall)
- \`T05\`: redirected, an error, too large, or not \`application/statuslist+jwt\`
- \`T06\`, K: usually a key that \`trust[issuer].keys\` lacks
- \`T08\`: your clock is slow; \`T09\`: it is fast, or the issuer stopped renewing`,
  },
  cross_site: {
    page: 'foreign_title',
    cause:
      'The POST came from another site or subdomain, an origin that `appUrl` lacks, a page with `Referrer-Policy: no-referrer` (`Origin: null`; both in a browser without `Sec-Fetch-Site`), or a script without `Origin`. From the service: its Redirect URL is the start, not the callback route.',
    fix: 'Link to `GET /identity/start`, whose page has the button. Serve your own form from an origin in `appUrl` with `Referrer-Policy: same-origin`; a script sends `Origin: <your appUrl>`.',
  },
  declined: {
    page: 'declined_title',
    cause:
      "Nothing was shared. `error.serviceCode` is the service's, such as `user_declined`; `access_denied` is [not_shared](#not_shared). A forged error callback never ends a flow.",
    fix: 'None. If frequent, explain in `purpose` why you ask, and ask for less.',
  },
  error_account: {
    page: 'set_up_title',
    cause: 'Or it is not enabled for this environment.',
    fix: "Ask the service's support or portal.",
  },
  error_api_key: {
    page: 'set_up_title',
    cause:
      'It belongs to a different environment than `baseUrl`, or is rotated, revoked, unset or a placeholder. `error.message` contains no part of it.',
    fix: 'Test it, then set the right key and restart, or let an `apiKey` function read it from your vault:',
    more: askService,
  },
  error_internal: {
    page: 'away_title',
    cause: 'Your request was fine; the fault is in the service.',
    fix: 'Retry. If it lasts, tell its support when and how often.',
  },
  error_invalid_attribute: {
    page: 'set_up_title',
    cause:
      'The interface knows `family_name`, `given_name`, `birth_date` and `nationality`; `derived` only `nationality`.',
    fix: 'Correct `reveal` (`revealed` for `createProveClient`) or `derived`, or ask what your account may use.',
  },
  error_invalid_body: {
    page: 'set_up_title',
    cause:
      "Without `error.serviceCode`, `error.message` names the field: `derived` with `variant: 'base'`, an empty `revealed`, a wrong type, or an unknown field (`sameDevice` for `same_device`). Otherwise your account has the other variant, or something changes the body.",
    fix: "Correct it, or try `variant: 'base'`: that service may refuse `derived`.",
  },
  error_missing_parameter: {
    page: 'set_up_title',
    cause:
      'Without `error.serviceCode`, `createProveClient` got no `issuer` or `revealed`. Otherwise a proxy changed the body, or your account needs a field outside the interface.',
    fix: 'Pass the field, or compare with the same body sent by curl.',
  },
  error_missing_state: {
    page: 'set_up_title',
    cause: '`createProveClient` got no `state` (the router always sends one), or a proxy changed the body.',
    fix: 'Pass a new unguessable value each time, and store it for the callback:',
    more: fence(
      'ts',
      "import { randomBytes } from 'node:crypto';\n\nconst state = randomBytes(32).toString('base64url');",
    ),
  },
  error_wrong_issuer: {
    page: 'set_up_title',
    cause:
      '`issuer` or `IDENTITY_ISSUER` is empty or misspelled. The interface has `de-ausweis` and, in the test environment only, `xx-sandbox`.',
    fix: 'Set the issuer of the environment of `baseUrl`.',
  },
  hook_failed: {
    page: 'busy_title',
    cause:
      '`onVerified`, `onSuccess`, `keep`, or a function in `apiKey`, `subject`, `context`, `sameDevice` or `trust` threw (`error.cause`). Or a hook [returned something invalid](hooks.md#what-a-hook-may-return), `keep` more than `limits.keptBytes` (8 kB), `onSuccess` responded itself, or `keep` or `req.session` is not JSON: `error.message` says which. No data is handed over; the hook runs again with the next callback or return. What `onError` or `onEvent` throws changes nothing: the log names the hook, in production without the cause; catch it there.',
    fix: 'Read the log, which names the function; in production catch it there, and log what is not personal: `error.cause`, which `onError` gets, may quote a name, as errors of databases do. Key work by `result.receipt.id`, the same in every run.',
  },
  hook_timeout: {
    page: 'busy_title',
    cause:
      '`onVerified` or `onSuccess` took longer than `limits.hookTimeout` (10 s); `signal` was aborted. The lease stays, so that no second run overlaps it: for up to 40 seconds a retry gets [`busy`](#busy).',
    fix: 'Pass `signal` to fetch and the database, queue slow work, and key it by `result.receipt.id`. Raise the limit last.',
  },
  identity_insufficient: {
    page: 'insufficient_title',
    cause:
      '`allow` did not return true: it said no, threw (development shows it in the terminal) or returned a Promise.',
    fix: 'None, if the rule is right. `allow` gets what `keep` stored, and the request.',
  },
  identity_required: {
    cause:
      'The person has not verified for this `request`, `keepFor` has passed, `subject` changed, or the session cookie did not arrive (`localhost` and `127.0.0.1` are two hosts; fetch needs `credentials`). A browser is redirected to the start instead.',
    fix: "Send the person to the reply's `start`. If people have just verified, check the cookie.",
  },
  identity_stale: {
    cause: 'It is older than `require({ maxAge })` allows. A plain number is milliseconds.',
    fix: "Send the person to the reply's `start`. For longer, write `maxAge: '30d'`; `keepFor` (8 hours) ends everything earlier.",
  },
  key_not_found: {
    page: 'proof_title',
    cause:
      '`error.check` is `K03` (its certificates lead to none of your anchors), `K12` (its key id matches no key, or several) or `K15` (no usable key). The issuer rotated its keys, `trust` is for another environment, or the presentation is not from the issuer.',
    fix: 'Compare `kid` with what the issuer publishes; `keys: { jwksUri }` follows rotations. With `keys: { x5c }`, compare the anchors in `error.message` with `trustFromPem(...).description`. Never copy a key or certificate out of a presentation.',
  },
  keys_unavailable: {
    page: 'away_title',
    cause:
      '`jwksUri` is wrong, down, slow or behind a firewall, or returned a redirect, an error, too much or no key set (`K14`). Or a list of trusted entities is unreachable, stale, signed by a different key or older than one before ([L numbers](checks.md)). A failed fetch is repeated after half a minute.',
    fix: '`curl -sS -i https://issuer.example/jwks.json` must return 200 and JSON with `keys`, without redirects. If it is often down, configure `keys: { jwks }` and follow rotations yourself.',
    more: "`L08`: the operator restarted its numbering or published too high a number; that key's later lists are refused for 400 days. Add the certificate of a new signing key to `trustedList.signers`; keep the record `trustedList-numbers-…` in `trustedList.store`, which keeps older lists out. Test environments may need [`dangerouslyAllow`](presentations.md#2-the-german-pid-anchors-from-the-signed-list).",
  },
  media_type_unsupported: {
    cause: 'It is not a form, not UTF-8, or compressed, such as from a test (JSON) or a gateway.',
    fix: "In a test, send a form (supertest: `.type('form')`). If real callbacks fail, find what changes them.",
  },
  method_not_allowed: {
    cause:
      "Such as a browser's or health check's GET of the callback, or a POST to the return or status route, such as by a service whose Redirect URL is not the callback.",
    fix: 'Use a method from `Allow`, and your own route for health checks.',
  },
  not_found: {
    page: 'not_found_title',
    cause:
      '`identity.start(req, res, { request })` got a name that is not in `requests`, perhaps from a URL or old form. At `/identity/start/<unknown>` your app sends its own 404.',
    fix: 'Compare it with the keys of `requests` (case-sensitive).',
  },
  not_shared: {
    page: 'not_shared_title',
    cause:
      'It answered `access_denied`. In OpenID4VP 1.0 (8.5) that means: no matching ID, no consent, or not authenticated. Wallets do not say which.',
    fix: 'None. If frequent, explain in `purpose` why you ask, and offer another way (`pages.otherWay`).',
  },
  origin_not_allowed: {
    page: 'address_title',
    cause:
      'Your app has a second domain, `www.` or port, a proxy passes on an internal host name and Express does not trust its `X-Forwarded-Host`, or `Host` is forged.',
    fix: "List every public origin: `appUrl: ['https://shop.example', 'https://www.shop.example']`. Behind a proxy, call `app.set('trust proxy', 1)` with its address or the number of proxies. [A stripped prefix](existing-app.md#behind-a-proxy-that-strips-a-prefix) belongs to it.",
  },
  presentation_invalid: {
    page: 'proof_title',
    cause:
      'None of its data was used; the flow stays open for a valid one. `error.check` is the first [check](checks.md) that failed. After ten failures of one request with one number, the log says `all fail with C02: the trust entry does not match`. Without a `check`, your own verifier returned `valid: false`; its reason goes to `onError`, never to the log.',
    fix: 'If everyone has one number, correct that field of `trust[issuer]`: `C02` `vct`, `C09` `iss`, `B07` `keyBinding.nonce`, `B08` `keyBinding.audience`, `H01` `algorithms`, `K02` keys of a different environment, `K14` a status list at an origin not in `status.origins`. If all fail with `C07` or `B10`, your clock is slow; `C04` or `B11`, perhaps fast (`timedatectl`). Single ones are expired (`C04`), revoked (`T15`), altered, forged or made for a different request (`B07`). Never use a function that always returns `valid: true`: anyone could pose as anyone.',
  },
  refused: {
    page: 'refused_title',
    cause:
      "`onVerified` or `onSuccess` returned `{ refuse: 'your_code' }`, now in `error.serviceCode`. The person may start again.",
    fix: "To explain, set [texts for it](pages.md#texts-for-a-page-that-asks-or-refuses) or `errorRedirect` (it gets a code in lower snake case as `?error=your_code`), or return `{ refuse: 'your_code', redirectTo: '/sorry' }`.",
  },
  return_code_invalid: {
    page: 'elsewhere_title',
    cause:
      'The flow expired, its code was used, the session is gone (cookies deleted, store restarted, logged out) or not shared by all processes, or the cookie does not come back (`localhost` against `127.0.0.1`, `Secure` on http, no `trust proxy`).',
    fix: 'Start again. If everyone fails, open the app under exactly the origin in `appUrl`, check the session cookie, and share both stores.',
  },
  return_to_invalid: {
    page: 'link_title',
    cause:
      '`returnTo` is a full URL, has a backslash, `//` or control characters, or exceeds 500 characters, percent-escapes counted: an open redirect, or somebody who fills your stores.',
    fix: 'Pass a path with one leading slash, encoded once:',
    more: fence('ts', "const link = `/identity/start?returnTo=${encodeURIComponent('/club?tab=2')}`;"),
  },
  return_wrong_browser: {
    page: 'elsewhere_title',
    cause:
      "A phone opened the wallet's link in its default browser, someone sent a link, or the session cookie is not sent (different host, `Secure` on http). It may be an attack, so the flow ended.",
    fix: 'Start again, in one browser. If everyone fails, the session cookie does not return: all processes need one session secret, from the environment; behind a proxy, set `trust proxy`; `appUrl` must have the host of the cookie. `NODE_ENV=production npx pidgate doctor --entry server.js` finds which. A login during the verification must keep the session, or be in `onSuccess`.',
  },
  service_error: {
    page: 'service_error_title',
    cause:
      "`error.serviceCode` is unknown to the interface and pidgate, shortened and cleaned. In a callback, the wallet or service ended the verification (a forged one ends nothing). At the start, your account reached a limit or the service is newer; `error.status` is the service's, retryable from 500.",
    fix: 'Single cases are normal. In `onError` compare `error.serviceCode` with the codes that you know from the service, and handle those that matter. Do not log it: in a callback it is up to 100 characters of whoever posted it.',
  },
  service_reply_invalid: {
    page: 'away_title',
    cause:
      '`error.message` has the fault and the HTTP status. `baseUrl` is a website, login page or wrong path, a gateway sent its own error page, `redirect_url` is not https (http only if both are on loopback), or the reply is too large (64 kB), compressed or not UTF-8.',
    fix: 'Run the command of [error_api_key](#error_api_key): the reply must be JSON with `success`. If not, correct `baseUrl`, without `/prove` at its end.',
  },
  service_timeout: {
    page: 'away_title',
    cause:
      'The call, with fetching the API key, took longer than `limits.requestTimeout` (10 s; `timeout` for `createProveClient`).',
    fix: 'Measure: `curl -sS -o /dev/null -w \'%{time_connect} %{time_total}\\n\' "$IDENTITY_BASE_URL"`. A slow connect points at DNS, firewall or proxy. Cache the key.',
  },
  service_unreachable: {
    page: 'away_title',
    cause:
      '`error.message` ends with the reason. `ENOTFOUND`, `EAI_AGAIN`: wrong host name, or DNS is down. `ECONNREFUSED`: nothing listens. `ECONNRESET`: a proxy, firewall or restart. `ETIMEDOUT`: a firewall. `CERT` or `SIGNATURE`: the certificate is untrusted, expired or for a different name.',
    fix: '`curl -sS -v "$IDENTITY_BASE_URL" -o /dev/null`. For your own certificate authority set `NODE_EXTRA_CA_CERTS`. For a proxy, `NODE_USE_ENV_PROXY=1` with `HTTPS_PROXY` (Node 22.21, 24.5 or later), or the option `agent`.',
  },
  session_ended: {
    cause:
      '`identity.forget` found nothing in the session store under the id of `req.session`: the person has logged out meanwhile, or this request has renewed the session (`regenerate`, passport) and not saved it yet. Nothing was changed, because saving it would bring back a session that a log-out has ended.',
    fix: 'After `regenerate`, call `req.session.save` before `identity.forget`. A log-out needs no `forget`: `req.session.destroy` ends what was kept too. Otherwise answer as if nobody were logged in.',
  },
  session_missing: {
    page: 'set_up_title',
    cause:
      'express-session is missing, below the router, or behind a condition that skips its path; or its store is disconnected, and it goes on without a session.',
    fix: "Check the store's connection, and mount it first:",
    more: fence(
      'ts',
      "app.use(session({ secret, resave: false, saveUninitialized: false }));\napp.use('/identity', identity);",
    ),
  },
  session_save_failed: {
    page: 'busy_title',
    cause:
      'The store failed, has no table ([Postgres](scaling.md#postgres)) or took over five seconds, `onSuccess` called `req.session.destroy`, the browser disconnected, or the cookie could not be set (`secure: true` on http, no `trust proxy`). The session is unchanged.',
    fix: "Check the store's log; pidgate does not repeat its error, which may quote the session. The return address works again.",
  },
  session_unsupported: {
    page: 'set_up_title',
    cause: 'The session is a test double or from cookie-session, or `genid` returned its current id.',
    fix: 'Use express-session with its default or a random `genid`; besides another session middleware, just above the router and on guarded routes.',
  },
  state_unknown: {
    page: 'ended_title',
    cause:
      'The flow expired (`flowTtl`, 10 minutes), failed, finished with a different body, or was lost: `memoryStore` with several processes or a restart, or a Redirect URL of a different deployment.',
    fix: 'If frequent, share a store, check the Redirect URL, or raise `flowTtl`.',
  },
  store_full: {
    page: 'busy_title',
    cause:
      '`memoryStore` reached `max` flows (100,000) or `maxBytes` (64 MB, of which new flows fill three quarters), often because of a bot. Pending flows are never dropped.',
    fix: "Mount the README's rate limit, then use an external store or enlarge this one.",
  },
  store_unavailable: {
    page: 'busy_title',
    cause:
      'It failed, or took longer than 3 s (a store of your own: 5 s). `error.message` has its code, such as `ECONNREFUSED`, or `OOM` from a full Redis. Perhaps the client is closed, its pool exhausted, its permissions changed, or the table missing. What got 200 is safe.',
    fix: "Test the server with its own client, as the app's user. Connect it before the app listens; `await store.setup()` creates the table ([scaling](scaling.md)).",
  },
  subject_changed: {
    page: 'elsewhere_title',
    cause: 'Someone else logged in, the login ended, or `subject` returns a token or session id.',
    fix: 'Log in and start again. If everyone fails, let `subject` return one stable string per account, and mount the login above the router.',
  },
  timed_out: {
    page: 'timed_out_title',
    cause: 'Nothing was shared. `error.serviceCode` is, for example, `wallet_timeout`.',
    fix: 'None. If frequent on phones, check `sameDevice`.',
  },
  verify_timeout: {
    page: 'away_title',
    cause:
      'Verifying, with its fetches, took longer than `limits.verifyTimeout` (5 s): a slow key or status endpoint (typically after a restart), your own verifier, or too little CPU.',
    fix: "Time the endpoint, as for [service_timeout](#service_timeout). If slow, configure `keys: { jwks }`. Give your verifier's calls a shorter timeout.",
  },
};
