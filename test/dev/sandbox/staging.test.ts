import { request as openRequest } from 'node:http';
import { runInThisContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import type { Sandbox } from '../../../lib/dev/sandbox/index.js';
import type { SdJwtVcTrust } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { blocksOf } from '../../house/documents.js';
import { identityWith } from '../../support/app.js';
import { inMode } from '../../support/mode.js';
import { refusingPort } from '../../support/refusing-port.js';
import { serve } from '../../support/serve.js';
import { aCustomer, prove, request, sandbox } from './open.js';

const address = 'https://sandbox.staging.example';

/** The proxy of a team, which leads the address to the sandbox. */
async function behindProxy(): Promise<{ service: Sandbox; outside: typeof fetch }> {
  const port = await refusingPort();
  const service = await sandbox({ url: address, port });
  const proxy = await serve((req, res) => {
    const { method, url: path, headers } = req;
    const asked = { ...headers, host: new URL(address).host };
    req.pipe(
      openRequest({ port, method, path, headers: asked, agent: false }, (reply) => {
        res.writeHead(reply.statusCode ?? 0, reply.headers);
        reply.pipe(res);
      }),
    );
  });
  const outside = async (url: unknown, init?: RequestInit): Promise<Response> =>
    await fetch(String(url).replace(address, proxy), { redirect: 'manual', ...init });
  return { service, outside: outside as typeof fetch };
}

interface Staged {
  readonly trust: Readonly<Record<'xx-sandbox', SdJwtVcTrust>>;
  readonly allowSandbox: true;
}

/** The options of the app in staging, as docs/sandbox.md has them. */
function documented(): Staged {
  const blocks = blocksOf('docs/sandbox.md');
  const { code = '' } = blocks.find((block) => block.code.includes('allowSandbox')) ?? {};
  const app = `(identityVerification) => { ${code.replace(/^import .*$/m, '')}; return identity; }`;
  const run = runInThisContext(app) as (identityVerification: (options: Staged) => Staged) => Staged;
  return run((options) => options);
}

const { allowSandbox, ...staged } = documented();

it('a sandbox with an address of its own: pages and callback as ever, for an app in production that allows it', async () => {
  const { service, outside } = await behindProxy();
  const { redirectUrl, callbacks } = await aCustomer();
  service.redirectUrl = redirectUrl;
  const asked = request({ state: 'a-state-of-the-staging-of-a-team' });
  const { body } = await prove(service, asked, {}, outside);
  expect(body.redirect_url).toMatch(/^https:\/\/sandbox\.staging\.example\/wallet\/[\w-]+$/);
  expect(await (await outside(body.redirect_url)).text()).toContain('no real identity');
  const agree = { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) };
  expect((await outside(body.redirect_url, agree)).status).toBe(303);
  const expected = { issuer: 'xx-sandbox', state: String(asked['state']), reveal: ['given_name'] } as const;
  const verify = createVerifiers(staged.trust, { fetch: outside }).get('xx-sandbox');
  const verdict = await verify?.(callbacks[0]?.body.get('presentation') ?? '', {
    ...expected,
    derived: {},
    startedAt: new Date(),
  });
  expect(verdict).toMatchObject({ valid: true, attributes: { given_name: 'Erika' } });
  const options = {
    ...staged,
    apiKey: service.accounts.working.apiKey,
    appUrl: 'https://staging.example',
    secret: 'a secret of the staging, of 32 characters',
  };
  const make = async (more: object) =>
    await inMode('production', () => identityWith({ ...options, ...more }) && 'made');
  expect(await make({ allowSandbox })).toBe('made');
  await expect(make({})).rejects.toThrow(/allowSandbox/);
});

it.each(['/', '/timeline/x', '/simulate', '/trust.json', '/try/erika', '/openapi.json', '/changes'])(
  'F82 at an address of its own the sandbox has no %s',
  async (path) => {
    const { service, outside } = await behindProxy();
    expect((await outside(address + path)).status).toBe(404);
    expect((await outside(`${address}/jwks.json`)).status).toBe(200);
    await service.close();
  },
);

it.each(['http://sandbox.staging.example', `${address}/path`, 'sandbox.staging.example', 1])(
  'an address of its own that is %s: config_invalid',
  async (url) => {
    await expect(sandbox({ url: url as string })).rejects.toThrow(
      'createSandbox: url must be an https origin, such as https://sandbox.staging.example',
    );
  },
);
