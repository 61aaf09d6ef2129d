import { appPagesPolicy } from '../../../../http/pages/theme.js';
import { dataFix } from '../../../sandbox/simulator/data-addresses.js';
import type { HttpAnswer, HttpReply } from '../http.js';
import { type DoctorCheck, jsonOf } from '../finding.js';

const replyOf = (answer: HttpAnswer): HttpReply | undefined => (answer.kind === 'reply' ? answer : undefined);

const appUnreachable: DoctorCheck = ({ page, settings: { address } }) => {
  if (page.kind === 'reply') return undefined;
  return {
    id: 'app-unreachable',
    observed: `${address.origin} did not return anything usable: ${page.why}.`,
    cause: 'The app is not running, listens elsewhere, or its name or certificate is wrong.',
    fix: 'Start the app, and set its address with --url or APP_URL. Until then the other checks of the app mean nothing.',
  };
};

const notMounted: DoctorCheck = ({ page, callback, settings: { paths, mount } }) => {
  if (replyOf(page)?.status !== 404) return undefined;
  const reply = replyOf(callback);
  const isThere = typeof jsonOf(reply?.body ?? '')['error'] === 'string';
  return {
    id: 'not-mounted',
    observed: `There is nothing at ${paths.start}${reply?.status === 404 ? `, and nothing at ${paths.callback}` : ''}.`,
    cause: isThere
      ? 'The option routes renames or disables the start, or every start has the name of a question.'
      : 'The router is not mounted, is mounted below something that responds first, or at a different path.',
    fix: isThere
      ? 'Run doctor with --entry, which knows the routes and the names.'
      : `Write app.use('${mount}', identity), after the session. For a different path, set the option path, and run doctor with --path.`,
  };
};

const startShadowed: DoctorCheck = ({ page, settings: { paths } }) => {
  const reply = replyOf(page);
  if (reply?.status !== 200 || isKitsPage(reply)) return undefined;
  return {
    id: 'start-shadowed',
    observed: `GET ${paths.start} returns 200, and not by the router.`,
    cause: 'A catch-all route, the fallback of a single-page app or a log-in page is mounted above it.',
    fix: 'Mount the router above a catch-all route. If people must log in before the start, run doctor with --entry.',
  };
};

const mountedElsewhere: DoctorCheck = ({ post }) => {
  const reply = replyOf(post);
  const { error, error_description: told } = jsonOf(reply?.body ?? '');
  if (error !== 'config_invalid' || typeof told !== 'string') return undefined;
  const paths = /^The kit is mounted at (\/[\w.~/-]*), but its option path is (\/[\w.~/-]*):/.exec(told);
  if (paths === null) return undefined;
  return {
    id: 'mounted-elsewhere',
    observed: `The router is mounted at ${paths[1]}, but its option path is ${paths[2]}.`,
    cause: 'app.use(…) and the option path differ, so no address that the kit makes would work.',
    // The option path has at least one name.
    fix: `Write ${paths[1] === '/' ? '' : `path: '${paths[1]}' in the options, or `}app.use('${paths[2]}', identity).`,
  };
};

const appUrlUnknown: DoctorCheck = ({ page, settings: { appUrl, address, paths } }) => {
  const reply = replyOf(page);
  const action = /<form method="post" action="([^"?]*)/.exec(reply?.body ?? '')?.[1];
  const wanted = appUrl.pathname.replace(/\/$/, '') + paths.start;
  const prefixUnknown = action !== wanted && action?.endsWith(paths.start) === true;
  const originUnknown = reply?.status === 400 && reply.body.includes('origin_not_allowed');
  if (!prefixUnknown && !originUnknown) return undefined;
  return {
    id: 'app-url-unknown',
    observed: prefixUnknown
      ? `The start page of the app leads to ${action}, but people reach it at ${wanted}.`
      : `The app does not know ${appUrl.origin} as its own address.`,
    cause: prefixUnknown
      ? 'The app and the proxy in front of it do not agree on the path that the proxy strips.'
      : 'The option appUrl (or APP_URL) has a different host or port, or a proxy in front sends its own Host and Express does ' +
        `not read X-Forwarded-Host. localhost and 127.0.0.1 are different hosts. The doctor used ${address.origin}.`,
    fix: prefixUnknown
      ? `Set appUrl to the whole public address, including that path: ${appUrl.href.replace(/\/$/, '')}.`
      : "Set appUrl to the public origin. Behind a proxy that changes Host: app.set('trust proxy', 1).",
  };
};

export const isKitsPage = ({ status, headers }: HttpReply): boolean =>
  status === 200 &&
  // A proxy may add values of its own.
  /\bDENY\b/.test(String(headers['x-frame-options'])) &&
  /\bnosniff\b/.test(String(headers['x-content-type-options']));

/** helmet before the kit is fine; a policy that is set after it, by a proxy for example, is not. */
const policyReplaced: DoctorCheck = ({ page }) => {
  const reply = replyOf(page);
  if (reply === undefined || !isKitsPage(reply)) return undefined;
  const policy = String(reply.headers['content-security-policy'] ?? '');
  const policyOfKit =
    /^default-src 'none'; style-src [^;,]+; (?:img-src [^;,]+; )?base-uri 'none'; frame-ancestors 'none'$/;
  if (policyOfKit.test(policy) || policy === appPagesPolicy) return undefined;
  return {
    id: 'policy-replaced',
    observed: "The start page does not have the kit's own Content-Security-Policy.",
    cause:
      'A proxy, or middleware that changes headers as they are sent, sets or adds a policy of its own. A form-action there silently blocks the redirect to the wallet.',
    fix: "Leave this header unchanged on the addresses below the kit's path.",
  };
};

const referrerReplaced: DoctorCheck = ({ page }) => {
  const reply = replyOf(page);
  if (reply === undefined || !isKitsPage(reply)) return undefined;
  if (reply.headers['referrer-policy'] === 'same-origin') return undefined;
  return {
    id: 'referrer-policy-replaced',
    observed: "The start page does not have the kit's own Referrer-Policy.",
    cause:
      'A proxy, or middleware that changes headers as they are sent, sets this header. Under no-referrer a browser sends Origin: null, and the start is refused.',
    fix: "Leave this header unchanged on the addresses below the kit's path.",
  };
};

const pageCached: DoctorCheck = ({ page }) => {
  const reply = replyOf(page);
  if (reply === undefined || !isKitsPage(reply)) return undefined;
  if (reply.headers['cache-control'] === 'no-store') return undefined;
  return {
    id: 'page-cached',
    observed: 'The start page does not have Cache-Control: no-store.',
    cause: 'A proxy, a CDN, or middleware that changes headers as they are sent, sets the header.',
    fix: "Exclude the addresses below the kit's path from every cache.",
  };
};

/** The kit refuses a start that is from no page of the app, as `cross_site`. Anybody else's refusal comes before it. */
const startBlocked: DoctorCheck = ({ page, post, settings: { paths } }) => {
  const reply = replyOf(post);
  const shown = replyOf(page);
  if (reply === undefined || shown === undefined || !isKitsPage(shown)) return undefined;
  const { error } = jsonOf(reply.body);
  if (typeof error === 'string' || ![400, 401, 403, 419].includes(reply.status)) return undefined;
  return {
    id: 'start-blocked',
    observed: `Something before the kit responds to POST ${paths.start} with ${reply.status}.`,
    cause:
      "A CSRF check is mounted above the kit, and the kit's own form does not have its token; or a log-in that only POST has to pass.",
    fix: 'Mount the kit above the CSRF check. Mount a log-in with app.use, so that it stands before GET too. The kit itself refuses a start that did not come from a page of the app.',
  };
};

const pageOpen: DoctorCheck = ({ guarded, settings: { page } }) => {
  if (guarded?.open === undefined) return undefined;
  const isData = guarded.open !== page;
  return {
    id: 'page-open',
    observed: `${guarded.open} answers 200 to somebody who has verified nothing.`,
    cause: isData
      ? `It is where a framework serves the data of ${page}, and the guard sees only the address at which it stands.`
      : 'No guard stands in front of what answers there: the handler of the page, or something above it, such as express.static.',
    fix: isData ? dataFix : "Put identity.require() in front of the page's handler.",
  };
};

export const appChecks: readonly DoctorCheck[] = [
  appUnreachable,
  notMounted,
  startShadowed,
  mountedElsewhere,
  appUrlUnknown,
  policyReplaced,
  referrerReplaced,
  pageCached,
  startBlocked,
  pageOpen,
];
