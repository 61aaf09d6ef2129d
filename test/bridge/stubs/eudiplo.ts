import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { decodeJwt } from 'jose';
import { newId } from '../../../lib/dev/sandbox/service/ids.js';
import { openFront } from './front.js';
import { ask, type Asked, requestObject, stubAccess, takeResponse } from './leg.js';

interface Session extends Asked {
  readonly id: string;
  readonly walletNonce: string;
  readonly webhook: {
    readonly url: string;
    readonly auth: { config: { headerName: string; value: string } };
  };
  redirectUri?: string | undefined;
  /** What `GET /api/session/{id}` shows beside id and nonce. */
  shown: Readonly<Record<string, unknown>>;
}

const eudiploClient = { client_id: 'bridge', client_secret: 'the secret of the bridge' };

/** EUDIPLO as of May 2026, as far as the bridge and wallets call it. Where each fact is from: CALLS.md. */
export async function eudiploStub() {
  const { app, url, close, enter, must, ...front } = await openFront();
  const stub = Object.assign(front.stub, {
    drawNonce: (): string => randomUUID(),
    hookFails: false,
    consumedAt: new Date().toISOString(),
    /** What a session shows in place of what it is. */
    /** What is said of a session that is not there: as of May 2026. */
    unknown: {
      statusCode: 500,
      message: 'Could not find any entity of type "Session" matching: {}',
    },
    shows: undefined as Readonly<Record<string, unknown>> | undefined,
    /** Refuses the proof, and shows this. */
    refuses: undefined as Readonly<Record<string, unknown>> | undefined,
    /** As a version between May 2026 and the newest: the code is hidden, and judged at an address of its own. */
    hidesCode: false,
    /** As the newest version: a failure is posted to the hook too. */
    postsFailures: false,
  });
  const access = await stubAccess();
  const [sessions, queries, tokens] = [
    new Map<string, Session>(),
    new Map<string, unknown>(),
    new Set<string>(),
  ];

  const late: (() => Promise<void>)[] = [];

  async function entered(call: string, req: Request, res: Response): Promise<boolean> {
    if (!(await enter(call, res))) return false;
    if (tokens.has(req.get('authorization')?.replace('Bearer ', '') ?? '')) return true;
    res.status(401).json({ message: 'Unauthorized' });
    return false;
  }

  app.post('/api/oauth2/token', async (req: Request, res: Response) => {
    if (!(await enter('token', res))) return;
    const { client_secret: secret, ...others } = req.body as Record<string, string>;
    must('token', others, { grant_type: 'client_credentials', client_id: eudiploClient.client_id });
    if (secret !== eudiploClient.client_secret) {
      res.status(401).json({ statusCode: 401, message: 'Invalid client credentials' });
      return;
    }
    const token = newId();
    tokens.add(token);
    res.status(201).json({ access_token: token, token_type: 'Bearer', expires_in: 86_400 });
  });

  app.post('/api/verifier/config', async (req: Request, res: Response) => {
    if (!(await entered('query', req, res))) return;
    const { id, description, dcql_query: query, lifeTime, ...others } = req.body as Record<string, unknown>;
    const { credentials } = query as { credentials: [{ claims: unknown }] };
    const [{ claims, ...pid }] = credentials;
    must('query', [typeof id, typeof description, lifeTime, others], ['string', 'string', 540, {}]);
    must('claims', Array.isArray(claims) && claims.length > 0, true);
    must('credential', pid, {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:de:1', 'urn:eudi:pid:1'] },
      trusted_authorities: [{ type: 'etsi_tl', values: ['<TENANT_URL>/trust-list/pid'] }],
    });
    queries.set(String(id), query);
    res.status(201).json(req.body);
  });

  app.post('/api/verifier/offer', async (req: Request, res: Response) => {
    if (!(await entered('offer', req, res))) return;
    const { requestId, redirectUri, webhook, ...others } = req.body as {
      requestId: string;
      redirectUri?: string;
      webhook: Session['webhook'];
    };
    must('offer', others, { response_type: 'uri' });
    const { url: hookUrl, auth, ...hooked } = webhook;
    must('webhook', [typeof hookUrl, hooked], ['string', { includeRawTokensFor: ['pid'] }]);
    must(
      'webhook auth',
      { ...auth, config: auth.config.headerName },
      { type: 'apiKey', config: 'x-bridge-key' },
    );
    if (!queries.has(requestId)) {
      res.status(409).json({ message: `Request ID ${requestId} not found` });
      return;
    }
    const [id, walletNonce] = [randomUUID(), randomUUID()];
    const asked = await ask(stub.drawNonce(), { ...(queries.get(requestId) as object) });
    sessions.set(id, { ...asked, id, walletNonce, webhook, redirectUri, shown: { status: 'active' } });
    const link = (path: string): string => {
      const request_uri = `${url}/presentations/${walletNonce}/oid4vp/${path}`;
      const query = { client_id: access.clientId, request_uri, request_uri_method: 'get' };
      return `openid4vp://?${new URLSearchParams(query).toString()}`;
    };
    res.status(201).json({ uri: link('request'), crossDeviceUri: link('request/no-redirect'), session: id });
  });

  app.get('/api/session/:id', async (req: Request, res: Response) => {
    if (!(await entered('session', req, res))) return;
    const session = sessions.get(String(req.params['id']));
    if (session === undefined) res.status(stub.unknown.statusCode).json(stub.unknown);
    else
      res.json({
        id: session.id,
        vp_nonce: session.nonce,
        ...(stub.shows ?? session.shown),
        ...(stub.hidesCode && { responseCode: undefined }),
      });
  });

  app.get('/api/session/:id/result', async (req: Request, res: Response) => {
    if (!(await entered('result', req, res))) return;
    const session = sessions.get(String(req.params['id']));
    const { responseCode } = session?.shown ?? {};
    if (!stub.hidesCode || session === undefined) res.status(404).json({ statusCode: 404 });
    else if (responseCode !== req.query['response_code']) res.status(401).json({ statusCode: 401 });
    else {
      session.shown = { ...session.shown, responseCode: undefined }; // once
      res.json({ status: session.shown['status'], credentials: [] });
    }
  });

  app.get('/health', async (_req, res) => {
    if (await enter('life sign', res)) res.json({ status: 'ok' });
  });

  const find = ({ params }: Request) => [...sessions.values()].find((it) => it.walletNonce === params['id']);

  app.get(
    ['/presentations/:id/oid4vp/request', '/presentations/:id/oid4vp/request/no-redirect'],
    async (req: Request, res: Response) => {
      const session = find(req);
      if (session === undefined) {
        res.status(404).end();
        return;
      }
      if (req.path.endsWith('/no-redirect')) session.redirectUri = undefined;
      res.set('Content-Type', 'application/oauth-authz-req+jwt');
      const responseUri = `${url}/presentations/${session.walletNonce}/oid4vp`;
      res.end(
        await requestObject({ ...session, query: forWallets(session.query) }, access, responseUri, undefined),
      );
    },
  );

  app.post('/presentations/:id/oid4vp', async (req: Request, res: Response) => {
    const session = find(req);
    const answer = await (session && takeResponse(session, req.body).catch(() => undefined));
    if (session === undefined || answer === undefined) {
      res.status(400).json({ message: 'The presentation offer has already been used' });
      return;
    }
    const back = (query: Record<string, string>) =>
      session.redirectUri === undefined
        ? {}
        : { redirect_uri: `${session.redirectUri}?${new URLSearchParams(query).toString()}` };
    if (answer.kind === 'error') {
      session.shown = { status: 'failed', errorReason: `Wallet error: ${answer.error}` };
      res.json(back({ error: answer.error }));
      return;
    }
    const { nonce } = decodeJwt(answer.presentation.split('~').at(-1) ?? '');
    const refusal =
      nonce === session.nonce
        ? stub.refuses
        : { errorReason: 'Presentation validation failed: Verify Error: Invalid Nonce' };
    if (refusal !== undefined) {
      session.shown = { status: 'failed', ...refusal };
      if (stub.postsFailures) await postHook(session, { status: 'failed', outcome: { result: 'failed' } });
      res.json(back({ error: 'invalid_request' }));
      return;
    }
    const responseCode = randomUUID();
    session.shown = { status: 'completed', responseCode, consumedAt: stub.consumedAt };
    await postHook(session, { credentials: [{ id: 'pid', values: [{}], rawToken: answer.presentation }] });
    res.json(back({ response_code: responseCode }));
  });

  return {
    name: 'eudiplo' as const,
    client: eudiploClient,
    url,
    access,
    stub,
    close,
    /** Where the sessions are posted to, and the key that lets the post in. */
    hooks: () =>
      [...sessions.values()].map(({ webhook }) => ({ url: webhook.url, key: webhook.auth.config.value })),
    /** Posts what did not get through. */
    postLate: async () => {
      stub.hookFails = false;
      for (const post of late.splice(0)) await post();
    },
    /** It was started anew, and keeps nothing. */
    forget: () => {
      for (const kept of [sessions, queries, tokens]) kept.clear();
    },
  };

  /** Once, and never again: what it is answered changes nothing. */
  async function postHook(
    { id, webhook }: Pick<Session, 'id' | 'webhook'>,
    said: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    if (stub.hookFails) {
      late.push(async () => await postHook({ id, webhook }, said));
      return;
    }
    const { headerName, value } = webhook.auth.config;
    const headers = { 'content-type': 'application/json', [headerName]: value };
    const body = JSON.stringify({ ...said, session: id });
    await fetch(webhook.url, { method: 'POST', headers, body }).catch(() => undefined);
  }
}

/** Lists of trusted authorities are for itself (VP_REMOVE_TA). */
function forWallets(query: unknown): unknown {
  const { credentials } = query as { credentials: [Record<string, unknown>] };
  const [{ trusted_authorities: _, ...pid }] = credentials;
  return { credentials: [pid] };
}
