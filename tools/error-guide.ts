import type { KitErrorCode } from '../lib/errors.js';
import type { ProveErrorCode } from '../lib/service/prove/errors.js';

/** What docs/errors.md says about a code, in Markdown. Status and sentence come from the table of codes. */
export interface GuideEntry {
  /** Why it happened, if the sentence does not say it. */
  readonly cause?: string;
  /** What to do. */
  readonly fix: string;
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
    cause:
      '`error.message` names it. If some people fail, their ID has an incomplete value, such as a date of birth without a day.',
    fix: 'If everyone fails, correct `variant` (dates are `DD-MM-YYYY` in `base`, `YYYY-MM-DD` in `derived`), then `claims`. To others, offer another way (`pages.otherWay`).',
  },
  attributes_missing: {
    cause:
      '`error.message` names it. The person did not share it, the issuer does not have it or names it differently, or the service did not compute `derived`.',
    fix: "Ask for less. If everyone fails, tell pidgate the issuer's name of the claim in `trust[issuer].claims`: `birth_date: ['date_of_birth']`.",
  },
  body_consumed: {
    fix: 'Mount the router above whatever reads bodies.',
  },
  busy: {
    cause:
      'More requests came at once than `limits.concurrentStarts` (50) or `limits.concurrentVerifications` (100) allows. Or two callbacks of one flow, or two returns of one session, come at once: a hook that has not ended keeps the others away, by default for up to 30 seconds in the callback and 60 seconds in the return.',
    fix: 'Try again. If it persists, look for slow calls, limit the rate of starts, or add processes.',
  },
  callback_malformed: {
    cause: 'Scanners cause some of these. `pidgate doctor` gets one as a reply, without an event.',
    fix: "Do nothing, unless real verifications fail. Then the Redirect URL in the service's portal must belong to this app alone, and the router must be above whatever replaces bodies.",
  },
  callback_too_large: {
    cause:
      'The body has more bytes than `limits.callbackBytes` (64 kB), or the form of a start more than 16 kB.',
    fix: 'Do nothing, unless real verifications fail. Then raise the limit, up to 256 kB.',
  },
  card_blocked: {
    cause: 'The service says so, as of a German card after three wrong PINs, until the PUK is entered.',
    fix: 'Offer another way (`pages.otherWay`).',
  },
  config_invalid: {
    cause: '`error.message` names the option or the variable and its rule.',
    fix: "Follow the message. With node:test, set `NODE_ENV` to `test`, or a sandbox's trust entry is refused.",
  },
  credential_expired: {
    cause: 'If everyone fails, the clock of this machine may be fast.',
    fix: 'The person needs a new ID. Offer another way (`pages.otherWay`).',
  },
  credential_missing: {
    cause: 'The wallet has no ID, or one of a different issuer, or one without a requested attribute.',
    fix: 'Say before the start which card is needed, and ask only for attributes that every such ID has.',
  },
  credential_revoked: {
    fix: 'The person has to ask the issuer. Offer another way (`pages.otherWay`).',
  },
  credential_status_unavailable: {
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
      'The POST came from another origin (also a subdomain or port), from a script without `Origin`, or a proxy dropped the headers that say where it came from.',
    fix: 'Link to `GET /identity/start`, whose page has the button. Or serve your own form from the origin to which it posts, with `Referrer-Policy: same-origin`. A script has to send the origin of `appUrl`: `Origin: https://shop.example`.',
  },
  declined: {
    cause: 'If the wallet says `access_denied`, the code is [not_shared](#not_shared).',
    fix: 'If it is frequent, explain why you ask (`purpose`), and ask for less.',
  },
  error_account: {
    fix: "Ask the service's support, or look into its portal.",
  },
  error_api_key: {
    cause: 'The API key may be of a different environment than `baseUrl`.',
    fix: 'Set the right key and restart. If this command returns 400 with another code, the key is probably good:',
    more: askService,
  },
  error_internal: {
    fix: "Try again. If it lasts, tell the service's support.",
  },
  error_invalid_attribute: {
    cause:
      'The interface knows `family_name`, `given_name`, `birth_date` (also for an age) and `nationality`. `derived` knows only `nationality`.',
    fix: 'Correct `reveal` (`revealed` for `createProveClient`) or `derived`, or ask the service which of them your account may use.',
  },
  error_invalid_body: {
    cause: 'Your account has the other variant, or something on the way changes the body.',
    fix: "Correct the field, or try `variant: 'base'`.",
  },
  error_missing_parameter: {
    fix: 'Pass the field, or see whether a proxy changes the body.',
  },
  error_missing_state: {
    fix: "Pass a new value each time, such as `randomBytes(32).toString('base64url')`, and store it for the callback.",
  },
  error_wrong_issuer: {
    fix: 'Set `de-ausweis`, or `xx-sandbox`, which is in the test environment only.',
  },
  hook_failed: {
    cause:
      'A function of yours threw (`error.cause`), or did what it may not do, and `error.message` says what: it [returned something invalid](hooks.md#what-a-hook-may-return), `keep` returned more than `limits.keptBytes` (8 kB), `onSuccess` responded itself, or something to be stored is not JSON. Nothing is kept, and the hook [can run again](hooks.md#how-often-a-hook-runs).',
    fix: 'The log says which function it was. In production, catch the error in it, log what is not personal, and throw it again: `error.cause` may quote a name.',
  },
  hook_timeout: {
    cause:
      '`onVerified`, `onSuccess` or `keep` took longer than `limits.hookTimeout` (10 s). A retry may be [`busy`](#busy).',
    fix: "Pass the hook's `signal` to fetch and to the database, and put slow work into a queue.",
  },
  identity_insufficient: {
    cause:
      '`allow` of the question or of the guard returned false. Or it threw, returned no boolean, or asked `identity.of` for its own question: the log then says so.',
    fix: 'Do nothing, if the rule is right.',
  },
  identity_required: {
    cause:
      'The person has not verified for this `question` as it is now, or `keepFor` has passed, or `subject` changed. Or the session cookie did not arrive (`localhost` against `127.0.0.1`, fetch without `credentials`), or the session has gone from its store.',
    fix: "Send the person to the reply's `start`. If people have just verified, check the cookie, and that all processes share the session store.",
  },
  identity_stale: {
    cause: 'The stored identity is older than `require({ maxAge })` allows.',
    fix: "Send the person to the reply's `start`, or allow older ones: `maxAge: '30d'`.",
  },
  key_not_found: {
    cause:
      'The issuer rotated its keys, `trust` is for another environment, or the presentation is not from this issuer. `error.check` says [what was not found](checks.md#the-issuers-key). Without a check, this process has no `trust` entry for the issuer, as while you [change it](going-live.md#upgrading).',
    fix: 'Compare `kid`, or the fingerprints in `trustFromPem(...).description`, with what the issuer publishes. `keys: { jwksUri }` follows rotations by itself. With a signed list, its `territories` or `entities` may leave the issuer out. Never copy a key out of a presentation.',
  },
  keys_unavailable: {
    cause:
      'With `K14`, `jwksUri` is wrong, down or behind a firewall, or its reply is not a key set. If it is slow, the first verification that waits for it gets [`verify_timeout`](#verify_timeout). Or no [list of trusted entities](checks.md#lists-of-trusted-entities) counts: the `L` number says why. The next fetch is half a minute later.',
    fix: '`curl -sS -i https://issuer.example/jwks.json` must return 200 and JSON with `keys`, without redirects. If it is often down, configure `keys: { jwks }` and follow rotations yourself.',
    more: '`L08` usually means that the operator of the list restarted its numbering: lists of that key with lower numbers are then refused for 400 days. The certificate of a new signing key in `trustedList.signers` begins a new numbering.',
  },
  media_type_unsupported: {
    cause: 'The body is not a form, not UTF-8, or compressed: a test sends JSON, or a gateway changed it.',
    fix: "In a test, send a form (supertest: `.type('form')`). If real callbacks fail, find what changes them.",
  },
  method_not_allowed: {
    cause:
      'A GET came to the callback. Or the service sent a POST to another route, because its Redirect URL is not the callback. Or a person followed a link to a route of yours that calls `identity.start`.',
    fix: 'Write `identity.start` into `app.post(…)`, with a form, and let links lead to `/identity/start?returnTo=/club`.',
  },
  not_found: {
    cause:
      '`identity.start` got a name that is not in `questions`. Or `/identity/start` was opened, and there is no [`reveal` at the top level](options.md#questions).',
    fix: 'Compare the name with the keys of `questions`.',
  },
  not_shared: {
    cause:
      'The wallet answered `access_denied`. In OpenID4VP 1.0 (8.5) that means: no matching ID, no consent, or not authenticated.',
    fix: 'If it is frequent, explain why you ask (`purpose`), and offer another way (`pages.otherWay`).',
  },
  origin_not_allowed: {
    cause:
      'Your app has a second domain, a `www.` or another port that `appUrl` does not list. Or a proxy passes on an internal host name, and sends no `X-Forwarded-Host`, or Express does not trust it. Or `Host` is forged.',
    fix: "List every public origin: `appUrl: ['https://shop.example', 'https://www.shop.example']`. Let a proxy pass on `Host` (in nginx `proxy_set_header Host $host`), or let it send `X-Forwarded-Host` and call `app.set('trust proxy', …)`. If it strips a prefix, [that](your-app.md#behind-a-proxy-that-strips-a-prefix) belongs to `appUrl` too.",
  },
  presentation_invalid: {
    cause:
      '`error.check` is the first [check](checks.md) that failed. `onError`, the event and the log have it. If there is none, your own verifier returned `valid: false`; its reason goes to `onError`.',
    fix: 'Do nothing about single cases: they may be altered, forged or made for a different request (`B07`).',
    more: `If everyone fails with the same number:

- \`C02\`: correct \`vct\` in \`trust[issuer]\`
- \`C09\`, \`K10\`: correct \`iss\`
- \`B07\`, \`B08\`: with a service, correct \`nonce\` and \`audience\` in \`keyBinding\`
- \`H01\`: correct \`algorithms\`
- \`K02\`: the keys are those of a different environment
- \`K06\`: an anchor or a certificate of the issuer has expired
- \`K14\`: add the origin of the status list to \`status.origins\`
- \`C07\`, \`B10\`, \`B11\`, \`B12\`, \`B19\`: your clock is wrong (\`timedatectl\`)`,
  },
  refused: {
    cause: "Your hook returned `{ refuse: 'your_code' }`, and the code is in `error.serviceCode`.",
    fix: "To tell people why, set [texts for your code](pages.md#texts-for-a-page-that-asks-or-refuses) or [`errorRedirect`](options.md#the-address-after-a-failure), or return `{ refuse: 'your_code', redirectTo: '/sorry' }`.",
  },
  return_code_invalid: {
    cause:
      'The flow expired, its code was used already, or the address was changed. Or the session is gone: the person logged out, its store was restarted, or the processes do not share it. Or the cookie does not come back (`localhost` against `127.0.0.1`, `Secure` on http, no `trust proxy`).',
    fix: 'The person starts again. If everyone fails, open the app under the origin in `appUrl`, check the session cookie, let nothing in front of the app change the query, and let all processes share the session secret, the session store and the flow store.',
  },
  return_to_invalid: {
    cause:
      '`returnTo` is not a path of your app, such as a full URL, or has a backslash, `..` or control characters, or is longer than 500 characters.',
    fix: 'Pass a path with one leading slash, encoded once:',
    more: fence('ts', "const link = `/identity/start?returnTo=${encodeURIComponent('/club?tab=2')}`;"),
  },
  return_wrong_browser: {
    cause:
      "A phone opened the wallet's link in its default browser, someone sent the link to somebody else, or the browser does not send the session cookie, or the session has gone from its store.",
    fix: 'The person starts again, in one browser. If everyone fails, the session cookie does not come back: all processes need one session secret and one session store, `appUrl` the host of the cookie, and a proxy needs `trust proxy` and sends `X-Forwarded-Proto`. [When people may log in](sessions.md#who-is-logged-in) matters too.',
  },
  service_error: {
    cause:
      'In a callback, the wallet or the service ended the verification. At the start, your account may have reached a limit.',
    fix: 'In `onError`, handle the values of `error.serviceCode` that you know from the service. Do not log it: in a callback, it can be the words of a stranger.',
  },
  service_reply_invalid: {
    cause:
      '`error.message` has the fault. Usually `baseUrl` is a website, a login page or a wrong path, or a gateway sent an error page of its own.',
    fix: 'Run the command of [error_api_key](#error_api_key): the reply must be JSON with `success`. Otherwise correct `baseUrl`.',
  },
  service_timeout: {
    cause: '`limits.requestTimeout` (10 s) includes the time to fetch the API key.',
    fix: 'Measure it: `curl -sS -o /dev/null -w \'%{time_connect} %{time_total}\\n\' "$IDENTITY_BASE_URL"`. If fetching the API key is slow, cache the key.',
  },
  service_unreachable: {
    cause: '`error.message` has the reason in brackets.',
    fix: 'Try it: `curl -sS -v "$IDENTITY_BASE_URL" -o /dev/null`. For a certificate authority of your own, set `NODE_EXTRA_CA_CERTS`. For a proxy, set `NODE_USE_ENV_PROXY=1` with `HTTPS_PROXY` (Node 22.21, 24.5 or later), or the option `agent`.',
  },
  session_changed: {
    cause:
      '`identity.forget` and `identity.start` save the session, and this request has changed it without saving it. Or another request has stored a change since this one began.',
    fix: 'Save your change before (`req.session.save`), or change the session after `identity.forget`, as [a log-out](sessions.md#logging-out) does.',
  },
  session_ended: {
    fix: 'After `regenerate`, call `req.session.save` before `identity.forget`. Otherwise redirect to a page of yours: its request shows whether this browser has another session.',
  },
  session_missing: {
    cause:
      'express-session is missing, is mounted below the router, or skips its path. Or its store is disconnected.',
    fix: "Check the store's connection, and mount express-session above the router ([the order](your-app.md#the-order-of-middleware)).",
  },
  session_save_failed: {
    cause:
      'The session store failed, has no table ([Postgres](scaling.md#postgres)) or took over five seconds. Or `onSuccess` called `req.session.destroy`, the browser disconnected, or the cookie could not be set (`secure: true` on http, no `trust proxy`).',
    fix: "Check the store's log: pidgate does not repeat its error, which may quote the session.",
  },
  session_unsupported: {
    cause: 'The session is not one of express-session.',
    fix: 'Use express-session, with its default `genid` or a random one. Beside another session middleware, mount it just above the router and on guarded routes.',
  },
  state_unknown: {
    cause:
      'The flow expired (`flowTtl`, 10 minutes), failed, or another callback has finished it. Or this process does not know it: `memoryStore` with several processes or after a restart, or a Redirect URL of a different deployment. In a browser that did not start the flow, a page has it instead of a code about the person, such as `card_blocked`.',
    fix: 'If it is frequent, share a store, check the Redirect URL, or raise `flowTtl`.',
  },
  store_full: {
    cause: '`memoryStore` is at `max` (100,000 flows) or near `maxBytes` (64 MB), often because of a bot.',
    fix: 'Mount [the rate limit](your-app.md#going-to-production). Then use an external store, or enlarge this one.',
  },
  store_unavailable: {
    cause:
      'The store failed, or took longer than 3 s (a store of your own: 5 s). `error.message` may have the code of the failure. If it says that a stored verification does not open, this process has another `secret` (`IDENTITY_SECRET`) than the one that stored it. Often, the client is closed, its pool is exhausted, its permissions changed, or the table is missing.',
    fix: "Test the server with its own client, as the app's user. Connect the client before the app listens. `await store.setup()` creates the table ([scaling](scaling.md)).",
  },
  subject_changed: {
    cause:
      'Somebody logged in or out during the verification. Or `subject` returns something that changes, such as a session id.',
    fix: 'The person logs in and starts again. If everyone fails, let `subject` return one stable string per account, and mount the login above the router.',
  },
  timed_out: {
    fix: 'If it is frequent on phones, check `sameDevice`.',
  },
  verify_timeout: {
    cause:
      '`limits.verifyTimeout` (5 s) includes all fetches. The server of the keys or of the status list, your own verifier or your `nonce` function is slow, or there is too little CPU.',
    fix: 'If the server of the keys is slow, configure `keys: { jwks }`.',
  },
};
