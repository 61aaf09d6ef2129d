import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { newId } from '../../../lib/dev/sandbox/service/ids.js';
import { openFront } from './front.js';
import { ask, type Asked, requestObject, stubAccess, takeResponse } from './leg.js';

interface Transaction extends Asked {
  readonly id: string;
  readonly template: string | undefined;
  readonly link: string;
  readonly method: string;
  isHandedOut?: boolean;
  responseCode?: string;
}

/**
 * The EU reference verifier, as far as the bridge and wallets call it. It judges no proof, so that the kit's judgement is
 * seen. Where each fact is from: CALLS.md.
 */
export async function euStub({
  port,
  walletUrl = 'haip-vp://',
  version = 2026,
}: { port?: number; walletUrl?: string; version?: 2025 | 2026 } = {}) {
  const { app, url, close, enter, must, ...front } = await openFront(port);
  const stub = Object.assign(front.stub, {
    /** Unlike the real one, for a test in which two wallets open one request. */
    handsOutAgain: false,
  });
  const methods = version === 2025 ? ['post', 'get'] : ['post', 'get', 'post_get'];
  const access = await stubAccess();
  const transactions = new Map<string, Transaction>();
  const find = ({ params }: Request) =>
    [...transactions.values()].find(({ leg }) => leg.requestId === params['id']);

  app.post('/ui/presentations/v2', async (req: Request, res: Response) => {
    if (!(await enter('start', res))) return;
    const body = req.body as Record<string, string> & { dcql_query: unknown };
    const { dcql_query: query, nonce, wallet_response_redirect_uri_template: template, ...others } = body;
    must('content-type', req.get('content-type'), 'application/json');
    const { request_uri_method: method = '', ...fixed } = others;
    if (!methods.includes(method)) {
      res.status(400).end(); // it cannot read the body
      return;
    }
    must('members', fixed, { response_mode: 'direct_post.jwt', jar_mode: 'by_reference', profile: 'haip' });
    must('nonce', /^[\w-]{43}$/.test(nonce ?? ''), true);
    must('template', template === undefined || /^https?:\/\/.*\{RESPONSE_CODE\}$/.test(template), true);
    mustAskForPid(query);
    const [id, asked] = [newId(), await ask(nonce ?? '', query)];
    const request_uri = `${url}/wallet/request.jwt/${asked.leg.requestId}`;
    const shown = method === 'post_get' ? 'post' : method; // OpenID4VP knows no word for both
    const parts = { client_id: access.clientId, request_uri, request_uri_method: shown };
    const link = `${walletUrl}?${new URLSearchParams(parts).toString()}`;
    transactions.set(id, { ...asked, id, template, link, method });
    res.json({ transaction_id: id, ...parts, authorization_request_uri: link });
  });

  app.get('/ui/presentations/:tx', async (req: Request, res: Response) => {
    const call = req.params['tx'] === 'nobody' ? 'life sign' : 'result';
    if (!(await enter(call, res))) return;
    const transaction = transactions.get(String(req.params['tx']));
    const { response_code: code } = req.query;
    if (transaction === undefined) res.status(404).end();
    else if (transaction.answer === undefined) res.status(400).end();
    else if (code !== undefined && code !== transaction.responseCode) res.status(400).end();
    else if (transaction.answer.kind === 'error') res.json({ error: transaction.answer.error });
    else res.json({ vp_token: { pid: [transaction.answer.presentation] } });
  });

  app.all('/wallet/request.jwt/:id', async (req: Request, res: Response) => {
    const transaction = find(req);
    if (transaction === undefined) {
      res.status(404).end();
      return;
    }
    const isUnwanted = version === 2026 && !transaction.method.includes(req.method.toLowerCase());
    if ((transaction.isHandedOut === true && !stub.handsOutAgain) || isUnwanted) {
      res.status(400).json({ error: isUnwanted ? 'InvalidRequestUriMethod' : 'InvalidState' });
      return;
    }
    transaction.isHandedOut = true;
    const { wallet_nonce: nonce } = (req.body ?? {}) as { wallet_nonce?: unknown };
    const responseUri = `${url}/wallet/direct_post/${String(req.params['id'])}`;
    res.set('Content-Type', 'application/oauth-authz-req+jwt');
    res.end(await requestObject(transaction, access, responseUri, nonce));
  });

  app.post('/wallet/direct_post/:id', async (req: Request, res: Response) => {
    const transaction = find(req);
    try {
      if (transaction === undefined) throw new Error('Unknown.');
      await takeResponse(transaction, req.body);
    } catch {
      res.status(400).json({ error: 'PresentationNotInExpectedState' });
      return;
    }
    transaction.responseCode = randomUUID();
    const { template, responseCode } = transaction;
    res.json(
      template === undefined ? {} : { redirect_uri: template.replace('{RESPONSE_CODE}', responseCode) },
    );
  });

  return {
    name: 'eu' as const,
    url,
    access,
    stub,
    app,
    close,
    /** The links of the requests that wait for a wallet. */
    waiting: () =>
      [...transactions.values()].filter(({ answer }) => answer === undefined).map(({ link }) => link),
    /** Every wallet that was asked answers with this. */
    answerAll: (presentation: string) => {
      for (const transaction of transactions.values())
        transaction.answer = { kind: 'presentation', presentation };
    },
    /** It was started anew, and keeps nothing. */
    forget: () => transactions.clear(),
  };

  function mustAskForPid(query: unknown): void {
    const { credentials } = query as { credentials: [{ claims: { path: string[] }[] }] };
    const [{ claims, ...pid }] = credentials;
    const meta = { vct_values: ['urn:eudi:pid:de:1', 'urn:eudi:pid:1'] };
    must('credential', pid, { id: 'pid', format: 'dc+sd-jwt', meta });
    const names = ['family_name', 'given_name', 'birthdate', 'nationalities'];
    const isKnown = claims.every(
      ({ path: [name = '', ...more] }) => more.length === 0 && names.includes(name),
    );
    must('claims', isKnown && claims.length > 0, true);
  }
}
