import express, { type ErrorRequestHandler, type Request, Router } from 'express';
import { type Account, accountFinder } from './accounts.js';
import type { Bridge } from './bridge.js';
import { type Job, personMs } from './jobs.js';
import { nameOf } from './log.js';
import { checkProveRequest, claimNames, type ProveRequest, Refusal, statuses } from './prove-request.js';
import { newId, sha256 } from './seal.js';
import { forLog, reasonOf } from './verifiers/call.js';

/** Towards the app: `POST /prove` starts a job, `GET /nonce/…` says what nonce its wallet had to sign. */
export function proveRoutes(bridge: Bridge): Router {
  const { jobs, issuer, accounts, publicUrl } = bridge;
  const router = Router();
  const find = accountFinder(accounts);
  const readBody = express.raw({ type: () => true, limit: '64kb', inflate: false });

  function accountOf({ headers }: Request): SetUp {
    const account = find(headers.authorization);
    if (account === undefined) throw new Refusal('error_api_key', 'The API key is missing or not valid.');
    const { redirectUrl } = account;
    if (redirectUrl === undefined) throw new Refusal('error_account', 'The account has no redirectUrl.');
    return { ...account, redirectUrl };
  }

  router.post('/prove', (req, _res, next) => {
    accountOf(req); // before anything of the body is read
    next();
  });
  router.post('/prove', readBody, async (req, res) => {
    const request = checkProveRequest(req.headers['content-type'], req.body, issuer);
    const id = await start(bridge, accountOf(req), request);
    res.json({ success: true, redirect_url: `${publicUrl}/verify/${id}` });
  });
  router.all('/prove', (_req, res) => {
    res.set('Allow', 'POST').status(405).type('text').send('Only POST.\n');
  });
  router.get('/nonce/:digest', async (req, res) => {
    const id = await jobs.holder('state', ownState(accountOf(req), req.params.digest));
    const { nonce } = (id !== undefined && (await jobs.read(id))?.job) || {};
    res.status(nonce === undefined ? 404 : 200).json(nonce === undefined ? {} : { nonce });
  });
  router.use(['/prove', '/nonce'], refuse(bridge));
  return router;
}

/** An account that may ask. */
type SetUp = Account & { readonly redirectUrl: string };

/** A state is the app's own, whichever of its keys it has: another app may have the same one. */
const ownState = ({ redirectUrl }: SetUp, digest: string): string => `${redirectUrl} ${digest}`;

async function start(bridge: Bridge, account: SetUp, asked: ProveRequest): Promise<string> {
  const { jobs, verifier, publicUrl, hookUrl, now, log, metrics } = bridge;
  const { state, revealed, same_device: sameDevice } = asked;
  const [id, hookKey, digest] = [newId(), newId(), sha256(state)];
  const used = new Refusal('error_invalid_body', 'state was used before: it must be new for each request.');
  let job: Job;
  if (!(await jobs.claim('state', ownState(account, digest), id))) throw used;
  try {
    const { nonce, ...request } = await verifier.start({
      claims: revealed.map((attribute) => claimNames[attribute]),
      nonce: digest,
      back: sameDevice ? `${publicUrl}/verify/${id}` : undefined,
      hook: { url: `${hookUrl}/hook/${sha256(id)}`, key: hookKey },
      lifetime: personMs / 1000,
    });
    const { redirectUrl } = account;
    const { host, origin } = new URL(redirectUrl);
    const app = { name: account.name ?? host, url: account.url ?? origin };
    job = { id, state, revealed, sameDevice, redirectUrl, app, startedAt: now(), request, hookKey };
    if (nonce !== undefined) job = { ...job, nonce };
    await jobs.create(job);
  } catch (error) {
    await jobs.release('state', ownState(account, digest));
    throw error;
  }
  log.info({ job: nameOf(id), app: job.app.name, revealed, sameDevice }, 'started');
  metrics.start('started');
  return id;
}

/** Every failure has a code of the interface. */
const refuse =
  ({ log, metrics }: Bridge): ErrorRequestHandler =>
  (error: Error & { readonly status?: number }, req, res, _next) => {
    const isUnreadable = (error.status ?? 500) < 500;
    const internal = new Refusal('error_internal', 'The verification could not be started.');
    const unreadable = new Refusal('error_invalid_body', 'The body cannot be read, or is larger than 64 kB.');
    const { code, message } = error instanceof Refusal ? error : isUnreadable ? unreadable : internal;
    const why = code === 'error_internal' ? reasonOf(error) : forLog(message);
    log.warn({ code, why, ...(code === 'error_api_key' && whereFrom(req)) }, 'refused');
    metrics.start(code);
    if (statuses[code] === 401) res.set('Connection', 'close'); // its body is not read
    res.status(statuses[code]).json({ success: false, error: { error: code, error_description: message } });
  };

/** Whoever guesses keys can be blocked by it. A proxy adds its address at the end, whatever stood there before. */
const whereFrom = (req: Request) => ({
  from: req.socket.remoteAddress,
  ...(req.get('x-forwarded-for') && { forwardedFor: forLog(req.get('x-forwarded-for')?.slice(-64)) }),
});
