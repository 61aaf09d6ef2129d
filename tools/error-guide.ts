import type { KitErrorCode } from '../lib/errors.js';
import type { Texts } from '../lib/options/pages/en.js';
import type { ProveErrorCode } from '../lib/service/prove/errors.js';

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
export const errorGuide: Readonly<Record<KitErrorCode | ProveErrorCode, GuideEntry>> = {
  attribute_invalid: {
    page: 'unusable_title',
    cause:
      '`error.message` names it. If some people fail, their ID has an incomplete value, such as a date of birth without a day. If everyone fails, `variant` does not match the service, or `trust[issuer].claims` names the wrong claim.',
    fix: 'If everyone fails, correct `variant` (dates are `DD-MM-YYYY` in `base`, `YYYY-MM-DD` in `derived`), then `claims`. To others, offer another way (`pages.otherWay`).',
  },
  attributes_missing: {
    page: 'incomplete_title',
    cause:
      '`error.message` names it. The person did not share it, the issuer does not have it or names it differently, or the service did not compute `derived`.',
    fix: "Ask for less. If everyone fails, tell pidgate the issuer's name of the claim in `trust[issuer].claims`: `birth_date: ['date_of_birth']`.",
  },
  body_consumed: {
    page: 'set_up_title',
    cause: 'Something above the router has read the body, and has left nothing usable in `req.body`.',
    fix: 'Mount the router above whatever reads bodies.',
  },
  busy: {
    page: 'busy_title',
    cause:
      'More requests came at once than `limits.concurrentStarts` (50) or `limits.concurrentVerifications` (100) allows. Or two callbacks of one flow, or two returns of one session, come at once: a hook that has not ended keeps the others away, by default for up to 30 seconds in the callback and 60 seconds in the return.',
    fix: 'Try again. If it persists, look for slow calls, limit the rate of starts, or add processes.',
  },
  callback_malformed: {
    cause:
      'The body is incomplete, is not what the service sends, or has a `state` that pidgate did not make. Scanners and `pidgate doctor` cause some of these.',
    fix: "Do nothing, unless real verifications fail. Then the Redirect URL in the service's portal must belong to this app alone, and the router must be above whatever replaces bodies.",
  },
  callback_too_large: {
    cause:
      'The body has more bytes than `limits.callbackBytes` (64 kB), or the form of a start more than 16 kB. It is junk, or has data that you did not ask for.',
    fix: 'Do nothing, unless real verifications fail. Then raise the limit, up to 256 kB.',
  },
  card_blocked: {
    page: 'card_blocked_title',
    cause: 'The service says so, as of a German card after three wrong PINs, until the PUK is entered.',
    fix: 'Offer another way (`pages.otherWay`).',
  },
  config_invalid: {
    page: 'set_up_title',
    cause:
      '`error.message` names the option or the variable and its rule. Some mistakes show only later, such as a `subject` that returns something invalid.',
    fix: "Follow the message. With node:test, set `NODE_ENV` to `test`, or a sandbox's trust entry is refused.",
  },
  credential_expired: {
    page: 'expired_title',
    cause:
      'The `exp` of the credential has passed (check C04), or the service says so. If everyone fails, the clock of this machine may be fast.',
    fix: 'The person needs a new ID. Offer another way (`pages.otherWay`).',
  },
  credential_missing: {
    page: 'credential_missing_title',
    cause: 'The wallet has no ID, or one of a different issuer, or one without a requested attribute.',
    fix: 'Say before the start which card is needed, and ask only for attributes that every such ID has.',
  },
  credential_revoked: {
    page: 'revoked_title',
    cause: "The issuer's status list says that it was revoked or suspended (check T15).",
    fix: 'The person has to ask the issuer. Offer another way (`pages.otherWay`).',
  },
  credential_status_unavailable: {
    page: 'unchecked_title',
    cause:
      'The status list could not be fetched or trusted (`error.check` says why), so the credential may be revoked.',
    fix: "`npx pidgate inspect` shows its address in a proof. `curl -sS -i -H 'accept: application/statuslist+jwt' https://issuer.example/statuslists/1` must return 200 and a JWT, without redirects. Do not set `dangerouslyIgnore`: it accepts revoked credentials.",
    more: `- \`T18\`: the list is unreachable, or slower than four seconds (check the firewall)
- \`T05\`: the reply is an error, a redirect, too large, or no status list
- \`T06\`, or a K number: \`trust[issuer].keys\` lacks the key or the CA of the list's signer. A CA for such signers alone, as in Germany, belongs in [\`statusAnchors\`](presentations.md#revocation), and not in \`anchors\`, where it could certify IDs too
- \`T08\`, \`T09\`: a clock is wrong, or the issuer stopped renewing the list`,
  },
  cross_site: {
    cause:
      'The POST came from another origin (also a subdomain or port), from a script without `Origin`, or a proxy dropped the headers that say where it came from. If the browser sends no `Sec-Fetch-Site`, it may have come from an origin that `appUrl` lacks, or from a page with `Referrer-Policy: no-referrer`. If the service sent it, its Redirect URL is your start and not your callback.',
    fix: 'Link to `GET /identity/start`, whose page has the button. Or serve your own form from the origin to which it posts, with `Referrer-Policy: same-origin`. A script has to send `Origin: <your appUrl>`.',
  },
  declined: {
    page: 'declined_title',
    cause:
      'The person said no in the wallet, or cancelled. If the wallet says `access_denied`, the code is [not_shared](#not_shared).',
    fix: 'If it is frequent, explain why you ask (`purpose`), and ask for less.',
  },
  error_account: {
    page: 'set_up_title',
    cause: 'The account of your API key is not set up, is suspended, or is not for this environment.',
    fix: "Ask the service's support, or look into its portal.",
  },
  error_api_key: {
    page: 'set_up_title',
    cause:
      'The API key is of a different environment than `baseUrl`, was rotated or revoked, or is a placeholder.',
    fix: 'Set the right key and restart. If this command returns 400 with another code, the key is probably good:',
    more: askService,
  },
  error_internal: {
    page: 'trouble_title',
    cause: 'The fault is in the service.',
    fix: "Try again. If it lasts, tell the service's support.",
  },
  error_invalid_attribute: {
    page: 'set_up_title',
    cause:
      'The interface knows `family_name`, `given_name`, `birth_date` (also for an age) and `nationality`. `derived` knows only `nationality`.',
    fix: 'Correct `reveal` (`revealed` for `createProveClient`) or `derived`, or ask the service which of them your account may use.',
  },
  error_invalid_body: {
    page: 'set_up_title',
    cause:
      'Without `error.serviceCode`, pidgate refused the request, and `error.message` says why. Otherwise your account has the other variant, or something on the way changes the body.',
    fix: "Correct the field, or try `variant: 'base'`.",
  },
  error_missing_parameter: {
    page: 'set_up_title',
    cause:
      'Without `error.serviceCode`, `createProveClient` got no `issuer` or no `revealed`. Otherwise a proxy changed the body, or your account needs another field.',
    fix: 'Pass the field, or send the same body by curl and compare.',
  },
  error_missing_state: {
    page: 'set_up_title',
    cause: '`createProveClient` got no `state` (the router always sends one), or a proxy changed the body.',
    fix: "Pass a new value each time, such as `randomBytes(32).toString('base64url')`, and store it for the callback.",
  },
  error_wrong_issuer: {
    page: 'set_up_title',
    cause: '`issuer` or `IDENTITY_ISSUER` is misspelled, or does not belong to the environment of `baseUrl`.',
    fix: 'Set `de-ausweis`, or `xx-sandbox`, which is in the test environment only.',
  },
  hook_failed: {
    page: 'busy_title',
    cause:
      'A function of yours threw (`error.cause`), or did what it may not do, and `error.message` says what: it [returned something invalid](hooks.md#what-a-hook-may-return), `keep` returned more than `limits.keptBytes` (8 kB), `onSuccess` responded itself, or something to be stored is not JSON. Nothing is kept. At the return, the person can open the same address again, and the hook runs again.',
    fix: 'The log says which function it was. In production, catch the error in it and log what is not personal: `error.cause` may quote a name. Key its work by `result.receipt.id`, because it can run again.',
  },
  hook_timeout: {
    page: 'busy_title',
    cause:
      '`onVerified`, `onSuccess` or `keep` took longer than `limits.hookTimeout` (10 s). A retry waits, or gets [`busy`](#busy), until the lease of the callback (30 seconds) or the lock of the return (60 seconds) has run out. In the log, it may also be `onError` or `pages.render`.',
    fix: "Pass the hook's `signal` to fetch and to the database, and put slow work into a queue, keyed by `result.receipt.id`.",
  },
  identity_insufficient: {
    page: 'insufficient_title',
    cause:
      '`allow` of the question or of the guard returned false. Or it threw, returned no boolean, or asked `identity.of` for its own question: the log then says so.',
    fix: 'Do nothing, if the rule is right. `allow` gets what `keep` stored, and the request.',
  },
  identity_required: {
    cause:
      'The person has not verified for this `question` as it is now, or `keepFor` has passed, or `subject` changed. Or the session cookie did not arrive (`localhost` against `127.0.0.1`, fetch without `credentials`), or the session has gone from its store.',
    fix: "Send the person to the reply's `start`. If people have just verified, check the cookie, and that all processes share the session store.",
  },
  identity_stale: {
    cause:
      'The stored identity is older than `require({ maxAge })` allows. A plain number is in milliseconds.',
    fix: "Send the person to the reply's `start`, or allow older ones: `maxAge: '30d'`. `keepFor` (8 hours) may end it earlier.",
  },
  key_not_found: {
    page: 'proof_title',
    cause:
      'The issuer rotated its keys, `trust` is for another environment, or the presentation is not from this issuer. `error.check` says [what was not found](checks.md#the-issuers-key). Without a check, this process has no `trust` entry for the issuer, as while you [change it](going-live.md#upgrading).',
    fix: 'Compare `kid`, or the fingerprints in `trustFromPem(...).description`, with what the issuer publishes. `keys: { jwksUri }` follows rotations by itself. With a signed list, its `territories` or `entities` may leave the issuer out. Never copy a key out of a presentation.',
  },
  keys_unavailable: {
    page: 'unchecked_title',
    cause:
      '`jwksUri` is wrong, down, slow or behind a firewall, or its reply is not a key set (`K14`). Or no [list of trusted entities](checks.md#lists-of-trusted-entities) counts: the `L` number says why. The next fetch is half a minute later.',
    fix: '`curl -sS -i https://issuer.example/jwks.json` must return 200 and JSON with `keys`, without redirects. If it is often down, configure `keys: { jwks }` and follow rotations yourself.',
    more: '`L08` usually means that the operator of the list restarted its numbering: lists of that key with lower numbers are then refused for 400 days. The certificate of a new signing key in `trustedList.signers` begins a new numbering. Keep the record `lote-numbers-…` in `trustedList.store`.',
  },
  media_type_unsupported: {
    cause: 'The body is not a form, not UTF-8, or compressed: a test sends JSON, or a gateway changed it.',
    fix: "In a test, send a form (supertest: `.type('form')`). If real callbacks fail, find what changes them.",
  },
  method_not_allowed: {
    page: 'unknown_title',
    cause:
      'A GET came to the callback. Or the service sent a POST to another route, because its Redirect URL is not the callback. Or a person followed a link to a route of yours that calls `identity.start`.',
    fix: 'Write `identity.start` into `app.post(…)`, with a form, and let links lead to `/identity/start?returnTo=/club`. For health checks, see [scaling](scaling.md#health-checks).',
  },
  not_found: {
    page: 'not_found_title',
    cause:
      '`identity.start` got a name that is not in `questions`. Or `/identity/start` was opened, and the options have no `reveal` at their top level.',
    fix: 'Compare the name with the keys of `questions`. Upper and lower case matter.',
  },
  not_shared: {
    page: 'not_shared_title',
    cause:
      'The wallet answered `access_denied`. In OpenID4VP 1.0 (8.5) that means: no matching ID, no consent, or not authenticated.',
    fix: 'If it is frequent, explain why you ask (`purpose`), and offer another way (`pages.otherWay`).',
  },
  origin_not_allowed: {
    page: 'address_title',
    cause:
      'Your app has a second domain, a `www.` or another port that `appUrl` does not list. Or a proxy passes on an internal host name, and sends no `X-Forwarded-Host`, or Express does not trust it. Or `Host` is forged.',
    fix: "List every public origin: `appUrl: ['https://shop.example', 'https://www.shop.example']`. Let a proxy pass on `Host` (in nginx `proxy_set_header Host $host`), or let it send `X-Forwarded-Host` and call `app.set('trust proxy', …)`. If it strips a prefix, [that](your-app.md#behind-a-proxy-that-strips-a-prefix) belongs to `appUrl` too.",
  },
  presentation_invalid: {
    page: 'proof_title',
    cause:
      '`error.check` is the first [check](checks.md) that failed. If there is none, your own verifier returned `valid: false`; its reason goes to `onError`. After ten failures of one question in a row with the same number, the log says `all fail with C02`.',
    fix: 'Do nothing about single cases: they may be altered, forged or made for a different request (`B07`). Never use a verifier function that always returns `valid: true`.',
    more: `If everyone fails with the same number:

- \`C02\`: correct \`vct\` in \`trust[issuer]\`
- \`C09\`, \`K10\`: correct \`iss\`
- \`B07\`: correct \`keyBinding.nonce\`
- \`B08\`: correct \`keyBinding.audience\`
- \`H01\`: correct \`algorithms\`
- \`K02\`: the keys are those of a different environment
- \`K06\`: an anchor or a certificate of the issuer has expired
- \`K14\`: add the origin of the status list to \`status.origins\`
- \`C07\`, \`B10\`, \`B11\`, \`B12\`: your clock is wrong (\`timedatectl\`)`,
  },
  refused: {
    page: 'refused_title',
    cause:
      "Your hook `onVerified` or `onSuccess` returned `{ refuse: 'your_code' }`. The code is now in `error.serviceCode`.",
    fix: "To tell people why, set [texts for your code](pages.md#texts-for-a-page-that-asks-or-refuses) or [`errorRedirect`](options.md#the-address-after-a-failure), or return `{ refuse: 'your_code', redirectTo: '/sorry' }`.",
  },
  return_code_invalid: {
    page: 'elsewhere_title',
    cause:
      'The flow expired, its code was used already, or the address was changed. Or the session is gone: the person logged out, its store was restarted, or the processes do not share it. Or the cookie does not come back (`localhost` against `127.0.0.1`, `Secure` on http, no `trust proxy`).',
    fix: 'The person starts again. If everyone fails, open the app under the origin in `appUrl`, check the session cookie, and let all processes share the session store and the flow store.',
  },
  return_to_invalid: {
    page: 'link_title',
    cause:
      '`returnTo` is not a path of your app, such as a full URL, or has a backslash, `..` or control characters, or is longer than 500 characters.',
    fix: 'Pass a path with one leading slash, encoded once:',
    more: fence('ts', "const link = `/identity/start?returnTo=${encodeURIComponent('/club?tab=2')}`;"),
  },
  return_wrong_browser: {
    page: 'elsewhere_title',
    cause:
      "A phone opened the wallet's link in its default browser, someone sent the link to somebody else, or the browser does not send the session cookie, or the session has gone from its store. It may be an attack, so the flow ended.",
    fix: 'The person starts again, in one browser. If everyone fails, the session cookie does not come back: all processes need one session secret and one session store, `appUrl` the host of the cookie, and a proxy needs `trust proxy` and sends `X-Forwarded-Proto`. `NODE_ENV=production npx pidgate doctor --entry server.js` looks for such mistakes. Let people log in before the start or in `onSuccess`, and not in between.',
  },
  service_error: {
    page: 'service_error_title',
    cause:
      'In a callback, the wallet or the service ended the verification. At the start, your account reached a limit, or the service is newer than pidgate.',
    fix: 'In `onError`, handle the values of `error.serviceCode` that you know from the service. Do not log it: in a callback, it can be the words of a stranger.',
  },
  service_reply_invalid: {
    page: 'trouble_title',
    cause:
      '`error.message` has the fault. Usually `baseUrl` is a website, a login page or a wrong path, or a gateway sent an error page of its own.',
    fix: 'Run the command of [error_api_key](#error_api_key): the reply must be JSON with `success`. If a gateway answers (502, 503, 504), the service behind it is down. Otherwise correct `baseUrl`.',
  },
  service_timeout: {
    page: 'away_title',
    cause:
      'The call, with the time to fetch the API key, took longer than `limits.requestTimeout` (10 s; `timeout` for `createProveClient`).',
    fix: 'Measure it: `curl -sS -o /dev/null -w \'%{time_connect} %{time_total}\\n\' "$IDENTITY_BASE_URL"`. If connecting is slow, look at DNS, firewall and proxy. If fetching the API key is slow, cache the key.',
  },
  service_unreachable: {
    page: 'away_title',
    cause: '`error.message` has the reason in brackets.',
    fix: 'Try it: `curl -sS -v "$IDENTITY_BASE_URL" -o /dev/null`. For a certificate authority of your own, set `NODE_EXTRA_CA_CERTS`. For a proxy, set `NODE_USE_ENV_PROXY=1` with `HTTPS_PROXY` (Node 22.21, 24.5 or later), or the option `agent`.',
    more: `- \`ENOTFOUND\`, \`EAI_AGAIN\`: the host name is wrong, or DNS is down
- \`ECONNREFUSED\`: nothing listens there
- \`ECONNRESET\`: a proxy, a firewall or a restart cut the connection
- a reason with \`CERT\` or \`SIGNATURE\` in it: the certificate is not trusted, expired or for a different name`,
  },
  session_changed: {
    page: 'busy_title',
    cause:
      '`identity.forget` and `identity.start` save the session, and this request has changed it without saving it. Or another request has stored a change since this one began.',
    fix: 'Save your change before (`req.session.save`), or change the session after `identity.forget`, as in `identity.forget(req).then(() => { delete req.session.userId; res.redirect(303, "/") }, next)`. An `await` in an async route ends a process on Express 4 if it rejects.',
  },
  session_ended: {
    cause:
      'The person has logged out meanwhile, or this request has renewed the session and has not saved it yet. Nothing was changed.',
    fix: 'After `regenerate`, call `req.session.save` before `identity.forget`. A log-out needs no `forget`. Otherwise answer as if nobody were logged in.',
  },
  session_missing: {
    page: 'set_up_title',
    cause:
      'express-session is missing, is mounted below the router, or skips its path. Or its store is disconnected.',
    fix: "Check the store's connection, and mount express-session first:",
    more: fence(
      'ts',
      "app.use(session({ secret, resave: false, saveUninitialized: false }));\napp.use('/identity', identity);",
    ),
  },
  session_save_failed: {
    page: 'busy_title',
    cause:
      'The session store failed, has no table ([Postgres](scaling.md#postgres)) or took over five seconds. Or `onSuccess` called `req.session.destroy`, the browser disconnected, or the cookie could not be set (`secure: true` on http, no `trust proxy`).',
    fix: "Check the store's log: pidgate does not repeat its error, which may quote the session. At the return, the person can open the same address again.",
  },
  session_unsupported: {
    page: 'set_up_title',
    cause:
      'The session is not one of express-session. Or `genid` returned the id that the session already has.',
    fix: 'Use express-session with its default `genid` or a random one. Beside another session middleware, mount it just above the router and on guarded routes.',
  },
  state_unknown: {
    page: 'ended_title',
    cause:
      'The flow expired (`flowTtl`, 10 minutes), failed, or another callback has finished it. Or this process does not know it: `memoryStore` with several processes or after a restart, or a Redirect URL of a different deployment. In a browser that did not start the flow, a page has it instead of a code about the person, such as `card_blocked`.',
    fix: 'If it is frequent, share a store, check the Redirect URL, or raise `flowTtl`.',
  },
  store_full: {
    page: 'busy_title',
    cause:
      '`memoryStore` is at `max` (100,000 flows) or near `maxBytes` (64 MB), often because of a bot. The flows in it go on.',
    fix: 'Mount [the rate limit](your-app.md#going-to-production). Then use an external store, or enlarge this one.',
  },
  store_unavailable: {
    page: 'busy_title',
    cause:
      'The store failed, or took longer than 3 s (a store of your own: 5 s). `error.message` may have the code of the failure. If it says that a stored verification does not open, this process has another `secret` (`IDENTITY_SECRET`) than the one that stored it. Often, the client is closed, its pool is exhausted, its permissions changed, or the table is missing.',
    fix: "Test the server with its own client, as the app's user. Connect the client before the app listens. `await store.setup()` creates the table ([scaling](scaling.md)).",
  },
  subject_changed: {
    page: 'changed_title',
    cause:
      'During the verification somebody logged in or out, or `onSuccess` logged in somebody else. Or `subject` returns something that changes, such as a session id.',
    fix: 'The person logs in and starts again. If everyone fails, let `subject` return one stable string per account, and mount the login above the router.',
  },
  timed_out: {
    page: 'timed_out_title',
    cause: 'No proof came in time.',
    fix: 'If it is frequent on phones, check `sameDevice`.',
  },
  verify_timeout: {
    page: 'unchecked_title',
    cause:
      'Verifying, including all fetches, took longer than `limits.verifyTimeout` (5 s). The server of the keys or of the status list, your own verifier or your `nonce` function is slow, or there is too little CPU.',
    fix: 'Time the endpoint as [service_timeout](#service_timeout) does. If that of the keys is slow, configure `keys: { jwks }`.',
  },
};
