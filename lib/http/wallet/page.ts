import { IdentityError, kitError } from '../../errors.js';
import {
  cancelFlow,
  codeAddress,
  errorAddress,
  findFlow,
  flowIdOf,
  signedFor,
  type StoredFlow,
} from '../../flow/flow.js';
import { whyNotNow } from '../../service/access.js';
import { printHandle } from '../../service/wallets/handle.js';
import { walletLink } from '../../service/wallets/request.js';
import type { AppRequest } from '../../options/options.js';
import type { IdentityPage } from '../../options/pages/page-options.js';
import type { WalletLeg } from '../../service/contract.js';
import type { Way } from '../../types/ways.js';
import { looksMobile } from '../app-functions.js';
import {
  baseOf,
  type Exchange,
  type Kit,
  inSameLanguage,
  isFromThisApp,
  publicPath,
  queryOf,
  startAddress,
} from '../context.js';
import { startAgainPage } from '../pages/error-page.js';
import type { PageContext } from '../pages/page-model.js';
import { send, sendJsonError, wantsJson } from '../respond.js';
import { pageContextOf, sendError, sendPage } from '../send-page.js';
import { readOwn } from '../session/own-data.js';
import { ownerOf } from '../session/session-data.js';
import { sessionIdOf, sessionOf } from '../session/session.js';
import { walletLook } from './look.js';
import { qrCode } from './qr-code.js';
import { walletNotice, walletPage } from './wallet-page.js';

interface Waits {
  readonly kind: 'waits';
  readonly state: string;
  readonly stored: StoredFlow;
  readonly wallets: WalletLeg;
}

/** Where a flow stands for the session that asks: its page, another address, or nothing that is its own. */
type Standing =
  | Waits
  | { readonly kind: 'leaves'; readonly to: string }
  | { readonly kind: 'foreign'; readonly question?: string };

/**
 * `GET /wallet`: the page while a wallet is asked, for the session that owns the flow, and what it polls. It never shows the
 * code of a return: where the page goes on, the browser is sent there.
 */
export async function showWallet(exchange: Exchange): Promise<void> {
  const { req, res } = exchange;
  try {
    const standing = await standingOf(exchange);
    if (wantsJson(req)) await sendStanding(exchange, standing);
    else if (standing.kind === 'waits') await sendWalletPage(exchange, standing);
    else if (standing.kind === 'leaves') send.redirect(res, absolute(exchange, standing.to));
    else await sendUnrecognised(exchange, standing.question);
  } catch (error) {
    await sendFault(exchange, error);
  }
}

/** `POST /wallet`: the person cancels, on the kit's own page. */
export async function cancelWallet(exchange: Exchange): Promise<void> {
  const { kit } = exchange;
  try {
    if (!isFromThisApp(exchange)) {
      throw kitError('cross_site', {
        message: 'A page of another origin sent this: only the wallet page cancels.',
      });
    }
    const standing = await standingOf(exchange);
    if (standing.kind === 'foreign') throw new IdentityError('state_unknown');
    if (standing.kind === 'waits') await cancelFlow(kit.flow, standing.stored);
    await sendOn(exchange);
  } catch (error) {
    await sendFault(exchange, error);
  }
}

/** To where the flow leads by now, or else to its page: a hook may run for an answer that came first. */
export async function sendOn(exchange: Exchange): Promise<void> {
  const standing = await standingOf(exchange);
  const to = standing.kind === 'leaves' ? absolute(exchange, standing.to) : ownAddress(exchange);
  send.redirect(exchange.res, to);
}

const foreignPage =
  'the page of a wallet was opened in a browser that has not started this verification: somebody sent its address on, or ' +
  'the session cookie does not come.';

/**
 * The address stays: a browser that blocked cookies may load it again. The flow goes on where it began, and of it nothing is
 * told here.
 */
async function sendUnrecognised(exchange: Exchange, question: string | undefined): Promise<void> {
  const { kit, req } = exchange;
  kit.log.warn(foreignPage, 'return_wrong_browser');
  const start = inSameLanguage(exchange, startAddress(kit, req, question));
  const hints = await kit.help.whyRefused(req, foreignPage, true);
  const make = (site: PageContext): IdentityPage =>
    startAgainPage(site, { status: 403, topic: 'unrecognised', start, question, hints });
  await sendPage(exchange, make, send, ownAddress(exchange));
}

export async function sendFault(exchange: Exchange, error: unknown): Promise<void> {
  if (!(error instanceof IdentityError)) throw error;
  await sendError(exchange, error);
}

export async function standingOf({ kit, req }: Exchange): Promise<Standing> {
  const { flow } = kit;
  const state = stateIn(req);
  const session = sessionOf(req);
  const id = flowIdOf(state, flow.path);
  const stored = await findFlow(flow, id);
  const failed = (code: string): Standing => ({
    kind: 'leaves',
    to: errorAddress(flow, new IdentityError(code), id),
  });
  if (stored?.record.status !== 'pending') {
    const { done, last } = readOwn(session, kit);
    // Another tab has made the return: there is nothing to wait for any more.
    if (done?.id === id) return { kind: 'leaves', to: done.destination };
    if (stored === undefined) return last?.id === id ? failed('timed_out') : { kind: 'foreign' };
  }
  const { record } = stored;
  const { status, wallets, code = '', answered, outcome, question } = record;
  const isOwn = record.owner === ownerOf(session, sessionIdOf(req)).digest;
  if (!isOwn || wallets === undefined) return { kind: 'foreign', question };
  const to = answered.at(-1)?.to ?? '';
  if (status === 'failed') {
    if (outcome === 'refused') return { kind: 'leaves', to };
    return failed(outcome === 'declined' ? outcome : 'return_wrong_browser');
  }
  if (status === 'pending' || wallets.way === 'link') return { kind: 'waits', state, stored, wallets };
  // The phone that has read the code opens nothing, and nor does the browser: whoever opened this page goes on.
  if (status === 'verified') return { kind: 'leaves', to: codeAddress(flow, { id, secret: code }) };
  return flow.confirm === 'callback' ? { kind: 'leaves', to } : failed('state_unknown');
}

/** What the page polls: the status and a notice, and never where to go. */
async function sendStanding(exchange: Exchange, standing: Standing): Promise<void> {
  const { kit, req, res } = exchange;
  if (standing.kind === 'foreign') {
    sendJsonError(res, new IdentityError('state_unknown'));
    return;
  }
  const stored = standing.kind === 'waits' ? standing.stored : undefined;
  const status = stored?.record.status ?? 'over';
  // Nearly every poll finds nothing to say: it needs neither a language nor its texts.
  const notice =
    stored?.record.outcome === undefined
      ? undefined
      : walletNotice(await pageContextOf(kit, req), stored, hintsOf(kit, stored));
  send.json(res, 200, { status, notice });
}

/** In development, what the log says of the last answer. */
const hintsOf = ({ help }: Kit, { id, record: { outcome = '' } }: StoredFlow): string[] =>
  help.whyFailed(outcome, [id]);

async function sendWalletPage(
  exchange: Exchange,
  { state, stored, wallets: { clientId, ways } }: Waits,
): Promise<void> {
  const { kit, req, res } = exchange;
  const { config } = kit;
  const { record } = stored;
  const { last } = readOwn(sessionOf(req), kit);
  const reason = last?.id === stored.id ? last.reason : undefined; // the session alone has it
  const now = config.clock().getTime();
  const access = config.access?.find((its) => its.clientId === clientId);
  const canAsk = access !== undefined && whyNotNow(access, now) === undefined;
  const website = config.sandboxWallet && `${config.sandboxWallet}/wallet`;
  const mayAsk = (way: Way): boolean => canAsk && record.status === 'pending' && ways.includes(way);
  const linkOf = (way: Way, at?: string): string | undefined => {
    if (access === undefined || !mayAsk(way)) return undefined;
    const handle = printHandle({ state, way });
    const requestUri = `${record.origin}${config.path}${config.routes.request}?state=${handle}`;
    return walletLink(access, requestUri, at);
  };
  const address = ownAddress(exchange);
  const code = linkOf('code');
  const isOnly = !mayAsk('link') && !mayAsk('code');
  const browser = mayAsk('browser') ? await askByBrowser(exchange, { state, stored }, isOnly) : undefined;
  // Cancel is a form, and under no-referrer it would send `Origin: null`.
  res.set('Referrer-Policy', 'same-origin');
  // What the app has set for its own pages would forbid it.
  if (browser !== undefined) res.set('Permissions-Policy', 'digital-credentials-get=(self)');
  await sendPage(
    exchange,
    (site) => {
      return walletPage(site, {
        stored,
        question: config.questions.get(record.question),
        reason,
        address,
        start: inSameLanguage(exchange, startAddress(kit, req, record.question, { ...record, reason })),
        link: linkOf('link', website),
        qrCode: code && qrCode(code, site.texts.wallet_code_label, website && linkOf('code', website)).markup,
        browser,
        isGone: record.status === 'pending' && !canAsk,
        sandbox: config.sandboxIssuers.has(record.issuer),
        hints: hintsOf(kit, stored),
      });
    },
    send,
    address,
    walletLook(kit.theme, {
      left: record.expiresAt - now,
      isPhone: looksMobile(req),
      status: record.status,
      asksBrowser: browser !== undefined,
    }),
  );
}

/** What the page asks the browser with. Where it cannot be signed, the other ways are still there. */
async function askByBrowser(
  exchange: Exchange,
  { state, stored }: Pick<Waits, 'state' | 'stored'>,
  isOnly: boolean,
): Promise<IdentityPage['browser']> {
  const { kit } = exchange;
  const route = kit.config.routes.answer;
  if (route === false) return undefined; // begun under other options
  const { signRequest } = await import('./request.js');
  const handle = { state, way: 'browser' } as const;
  const { request, error } = await signedFor(
    kit.flow,
    stored,
    async () => await signRequest(kit, stored, handle),
  );
  if (error !== undefined && isOnly) throw error;
  return request === undefined ? undefined : { request, action: ownAddress(exchange, route) };
}

/** Which flow an address names; nothing where its query has something else there. */
function stateIn(req: AppRequest): string {
  const state = queryOf(req, 'state');
  return typeof state === 'string' ? state : '';
}

/** An address of the kit's own goes on in the language of this page; what the app has named stays as it is. */
function absolute(exchange: Exchange, to: string): string {
  const { kit, req } = exchange;
  if (/^https?:/.test(to)) return to;
  const address = `${baseOf(kit, req)}${to}`;
  return to.startsWith(`${kit.flow.returnPath}?`) ? inSameLanguage(exchange, address) : address;
}

/** The path of this page, or of another route about the same flow. */
const ownPath = ({ kit: { config }, req }: Exchange, route: string | false): string =>
  `${config.path}${route}?${new URLSearchParams({ state: stateIn(req) }).toString()}`;

const ownAddress = (exchange: Exchange, route = exchange.kit.config.routes.wallet): string =>
  inSameLanguage(exchange, publicPath(exchange.kit, exchange.req, ownPath(exchange, route)));
