import { appPagesPolicy } from '../../../http/pages/theme.js';
import { isLoopback, secureUrl } from '../../../internal/urls.js';
import { endsSoon } from '../../../service/ask-wallets.js';
import type { Answer, Facts, PageFacts } from '../../../set-up/facts.js';
import { type HttpAnswer, type HttpReply, jsonOf } from './http.js';
import type { Seen } from './observe.js';
import { type Settings, variables } from './settings.js';
import type { ReliedOn } from './trust-facts.js';

/** What the list asks of all that was seen. */
export function factsOf(seen: Seen): Facts {
  const { settings, page, post, callback, status, guarded, request, service, published, inside, now } = seen;
  const { appUrl, paths, mount, mode, issuer, asksWallets, oneSecretForBoth } = settings;
  const shown = pageFacts(page, settings);
  const isHttps = appUrl.protocol === 'https:';
  const code = answerOf(status).error;
  const session =
    code === 'session_missing' ? 'missing' : code === 'session_unsupported' ? 'unsupported' : inside?.session;
  return {
    appUrl,
    isLocal: isLoopback(appUrl),
    isReached: inside === undefined && shown?.isKits === true,
    mode,
    issuer,
    paths: { ...paths, mount },
    mountedAt: mountIn(post),
    unset: unsetIn(settings),
    oneSecretForBoth,
    serviceAddress: serviceAddressOf(settings),
    asksWallets,
    page: shown,
    post: answerOf(post),
    callback: { ...answerOf(callback), isEvent: inside?.events.includes('callback.refused') === true },
    ...(request && { request: answerOf(request) }),
    open:
      guarded?.open === undefined
        ? undefined
        : { address: guarded.open, isData: guarded.open !== settings.page },
    ...(service && { service: serviceFacts(service, settings) }),
    skew: skewOf(seen),
    session,
    isHttps,
    ...(inside && { isForwarded: isHttps, trustsProxy: inside.secure }),
    flowTtl: inside?.config?.flowTtl,
    signs: seen.signs,
    ...publishedFacts(published, now),
    accessEnds: accessEnd(settings, now),
    ...(seen.store && { store: seen.store }),
    sharesSecret: inside?.sharesSecret,
  };
}

/** What the list asks of the certificates and keys that trust entries rely on. @internal */
export function publishedFacts(published: Seen['published'], now: Date): Facts {
  const certificates = published.flatMap((one) => one.certificates);
  return {
    expired: certificates
      .filter(({ validFrom, validUntil }) => validUntil < now || validFrom > now)
      .map(inWords),
    expiring: certificates
      .filter(({ validUntil }) => validUntil >= now && validUntil.getTime() - now.getTime() < soonMs)
      // Those of the sandbox are made anew for each run.
      .filter(({ validFrom, validUntil }) => validUntil.getTime() - validFrom.getTime() > soonMs)
      .map(inWords),
    keysAway: [
      ...new Set(
        published
          .filter(({ keys, list }) => (keys && !hasKeys(keys)) || (list && !isSigned(list)))
          .map((one) => one.issuer),
      ),
    ],
  };
}

const soonMs = 30 * 86_400_000;

const replyOf = (answer: HttpAnswer): HttpReply | undefined => (answer.kind === 'reply' ? answer : undefined);

function answerOf(answer: HttpAnswer): Answer {
  if (answer.kind === 'silence') return { why: answer.why };
  const { error } = jsonOf(answer.body);
  const code = typeof error === 'object' && error !== null ? (error as { error?: unknown }).error : error;
  return {
    status: answer.status,
    error: typeof code === 'string' ? code : undefined,
    type: answer.headers['content-type'] ?? '',
  };
}

export const isKitsPage = ({ status, headers }: HttpReply): boolean =>
  status === 200 &&
  // A proxy may add values of its own.
  /\bDENY\b/.test(String(headers['x-frame-options'])) &&
  /\bnosniff\b/.test(String(headers['x-content-type-options']));

/** helmet before the kit is fine; a policy that is set after it, by a proxy for example, is not. */
const policyOfKit =
  /^default-src 'none'; style-src [^;,]+; (?:img-src [^;,]+; )?base-uri 'none'; frame-ancestors 'none'$/;

function pageFacts(answer: HttpAnswer, { appUrl, paths }: Settings): PageFacts {
  const reply = replyOf(answer);
  if (reply === undefined) return answerOf(answer);
  const { status, headers, body } = reply;
  const policy = String(headers['content-security-policy'] ?? '');
  const action = /<form method="post" action="([^"?]*)/.exec(body)?.[1];
  const wanted = appUrl.pathname.replace(/\/$/, '') + paths.start;
  const isAway = action !== wanted && action?.endsWith(paths.start) === true;
  return {
    ...answerOf(answer),
    isKits: isKitsPage(reply),
    replaced: [
      ...(policyOfKit.test(policy) || policy === appPagesPolicy ? [] : ['content-security-policy']),
      ...(headers['referrer-policy'] === 'same-origin' ? [] : ['referrer-policy']),
      ...(headers['cache-control'] === 'no-store' ? [] : ['cache-control']),
    ],
    leadsTo: isAway ? `it leads to ${action}, and people reach it at ${wanted}` : undefined,
    isOriginUnknown: status === 400 && body.includes('origin_not_allowed'),
  };
}

/** Where the kit says that its router is. */
function mountIn(post: HttpAnswer): string | undefined {
  const { error, error_description: told } = jsonOf(replyOf(post)?.body ?? '');
  if (error !== 'config_invalid' || typeof told !== 'string') return undefined;
  return /^The kit is mounted at (\/[\w.~/-]*), but its option path is \/[\w.~/-]*:/.exec(told)?.[1];
}

/** None at all only means that the doctor runs elsewhere than the app. */
function unsetIn({ asksWallets, variables: set }: Settings): readonly string[] {
  const unset = variables.filter((name) => name !== 'APP_URL' && !set.includes(name));
  return asksWallets || unset.length === variables.length - 1 ? [] : unset;
}

function serviceAddressOf({ baseUrl }: Settings): Facts['serviceAddress'] {
  if (baseUrl === undefined) return undefined;
  const url = secureUrl(baseUrl, true);
  return url === undefined ? 'unsafe' : isLoopback(url) ? 'local' : 'https';
}

function serviceFacts(answer: HttpAnswer, { baseUrl = '' }: Settings): NonNullable<Facts['service']> {
  return { ...answerOf(answer), host: URL.canParse(baseUrl) ? new URL(baseUrl).host : 'its address' };
}

/** Who asks wallets itself has no service, so that only a doctor on another machine sees it. */
function skewOf({ settings, page, service, now }: Seen): number | undefined {
  const other = settings.asksWallets ? page : service;
  const date = other?.kind === 'reply' ? Date.parse(other.headers.date ?? '') : Number.NaN;
  const skew = (now.getTime() - date) / 1000 - 0.5; // the header has whole seconds
  return Number.isNaN(skew) ? undefined : skew;
}

function accessEnd({ access }: Settings, now: Date): string | undefined {
  if (access?.every((one) => endsSoon(one, now.getTime())) !== true) return undefined;
  return `on ${day(new Date(Math.max(...access.map(({ validUntil }) => validUntil))))}`;
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

const inWords = ({ subject, validUntil }: ReliedOn): string => `${subject} (until ${day(validUntil)})`;

function hasKeys(answer: HttpAnswer): boolean {
  if (answer.kind !== 'reply' || answer.status !== 200) return false;
  const { keys } = jsonOf(answer.body);
  return Array.isArray(keys) && keys.length > 0;
}

/** A list of trusted entities begins as every compact JWS does. It may be longer than the doctor reads. */
function isSigned(answer: HttpAnswer): boolean {
  return answer.kind === 'reply' && answer.status === 200 && /^[\w-]+\.[\w-]+/.test(answer.body);
}
