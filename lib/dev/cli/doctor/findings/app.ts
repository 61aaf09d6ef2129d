import type { HttpAnswer, HttpReply } from '../http.js';
import { type Check, jsonOf } from '../finding.js';

const replyOf = (answer: HttpAnswer): HttpReply | undefined => (answer.kind === 'reply' ? answer : undefined);

const appUnreachable: Check = ({ page, settings: { address } }) => {
  if (page.kind === 'reply') return undefined;
  return {
    id: 'app-unreachable',
    found: `Nothing usable came from ${address.origin}: ${page.why}.`,
    cause: 'The app does not run, listens elsewhere, or its name or certificate is wrong.',
    mend: 'Start the app, and name its address with --url or APP_URL. The other checks of the app are of no use yet.',
  };
};

const notMounted: Check = ({ page, callback, settings: { paths, mount } }) => {
  if (replyOf(page)?.status !== 404 || replyOf(callback)?.status !== 404) return undefined;
  return {
    id: 'not-mounted',
    found: `There is nothing at ${paths.start}, and nothing at ${paths.callback}.`,
    cause: 'The router is not mounted, is mounted below something that answers first, or at another path.',
    mend: `Write app.use('${mount}', identity), after the session. For another path, set the option path, and call doctor with --path.`,
  };
};

const mountedElsewhere: Check = ({ post }) => {
  const reply = replyOf(post);
  const { error, error_description: told } = jsonOf(reply?.body ?? '');
  if (error !== 'config_invalid' || typeof told !== 'string') return undefined;
  const paths = /^The kit is mounted at (\/[\w.~/-]*), but its option path is (\/[\w.~/-]*):/.exec(told);
  if (paths === null) return undefined;
  return {
    id: 'mounted-elsewhere',
    found: `The router is mounted at ${paths[1]}, and its option path is ${paths[2]}.`,
    cause:
      'app.use(…) and the option path do not agree: every address that the kit makes would lead nowhere.',
    mend: `Write path: '${paths[1]}' in the options, or app.use('${paths[2]}', identity).`,
  };
};

const appUrlUnknown: Check = ({ page, settings: { appUrl, address, paths } }) => {
  const reply = replyOf(page);
  const action = /<form method="post" action="([^"?]*)/.exec(reply?.body ?? '')?.[1];
  const wanted = appUrl.pathname.replace(/\/$/, '') + paths.start;
  const prefixUnknown = action !== wanted && action?.endsWith(paths.start) === true;
  const originUnknown = reply?.status === 400 && reply.body.includes('origin_not_allowed');
  if (!prefixUnknown && !originUnknown) return undefined;
  return {
    id: 'app-url-unknown',
    found: prefixUnknown
      ? `The start page of the app leads to ${action}, and people reach it at ${wanted}.`
      : `The app does not know ${appUrl.origin} as its own address.`,
    cause: prefixUnknown
      ? 'The app and the proxy in front of it do not agree about the path that the proxy takes off.'
      : 'The option appUrl (or APP_URL) has another host or port, or a proxy in front sends its own Host and Express does ' +
        `not read X-Forwarded-Host. localhost and 127.0.0.1 are two hosts. The doctor asked at ${address.origin}.`,
    mend: prefixUnknown
      ? `Put the whole public address into appUrl, with that path: ${appUrl.href.replace(/\/$/, '')}.`
      : "Put the public origin into appUrl. Behind a proxy that changes Host: app.set('trust proxy', 1).",
  };
};

const isKitsPage = ({ status, headers }: HttpReply): boolean =>
  status === 200 && headers['x-frame-options'] === 'DENY' && headers['x-content-type-options'] === 'nosniff';

/** helmet before the kit is fine; a policy that is set after it, by a proxy for example, is not. */
const policyReplaced: Check = ({ page }) => {
  const reply = replyOf(page);
  if (reply === undefined || !isKitsPage(reply)) return undefined;
  const policy = String(reply.headers['content-security-policy'] ?? '');
  const own =
    /^default-src 'none'; style-src [^;,]+; (?:img-src [^;,]+; )?base-uri 'none'; frame-ancestors 'none'$/;
  if (own.test(policy)) return undefined;
  return {
    id: 'policy-replaced',
    found: "The start page does not come with the kit's own Content-Security-Policy.",
    cause:
      'Something after the kit, or a proxy, sets or adds one. A form-action there silently stops the way to the wallet.',
    mend: `Leave the header of the addresses below the kit's path as it is. helmet belongs above the kit.`,
  };
};

const referrerReplaced: Check = ({ page }) => {
  const reply = replyOf(page);
  if (reply === undefined || !isKitsPage(reply)) return undefined;
  if (reply.headers['referrer-policy'] === 'same-origin') return undefined;
  return {
    id: 'referrer-policy-replaced',
    found: "The start page does not come with the kit's own Referrer-Policy.",
    cause:
      'Something after the kit, or a proxy, sets it. Under no-referrer a browser sends Origin: null, and the start is refused.',
    mend: "Leave the header of the addresses below the kit's path as it is.",
  };
};

const pageCached: Check = ({ page }) => {
  const reply = replyOf(page);
  if (reply === undefined || !isKitsPage(reply)) return undefined;
  if (reply.headers['cache-control'] === 'no-store') return undefined;
  return {
    id: 'page-cached',
    found: 'The start page does not come with Cache-Control: no-store.',
    cause: 'Something after the kit, a proxy or a CDN, sets the header.',
    mend: "Exclude the addresses below the kit's path from every cache.",
  };
};

/** The kit refuses a start that is from no page of the app, as `cross_site`. Anybody else's refusal comes before it. */
const startBlocked: Check = ({ page, post, settings: { paths } }) => {
  const reply = replyOf(post);
  const shown = replyOf(page);
  if (reply === undefined || shown === undefined || !isKitsPage(shown)) return undefined;
  const { error } = jsonOf(reply.body);
  if (typeof error === 'string' || ![400, 401, 403, 419].includes(reply.status)) return undefined;
  return {
    id: 'start-blocked',
    found: `POST ${paths.start} is answered with ${reply.status} by something before the kit.`,
    cause: "A check of forms (CSRF) is mounted above the kit, and the kit's own form has no token of it.",
    mend: 'Mount the kit above that check. The kit itself refuses a start that no page of the app has sent.',
  };
};

export const appChecks: readonly Check[] = [
  appUnreachable,
  notMounted,
  mountedElsewhere,
  appUrlUnknown,
  policyReplaced,
  referrerReplaced,
  pageCached,
  startBlocked,
];
