import { expect, it, jest } from '@jest/globals';
import { decide } from '../../support/wallet.js';
import { aCustomer, post, prove, request, start } from './open.js';

// The sandbox runs on the Express of the app that uses it.
jest.unstable_mockModule('express', async () => await import('express4'));
const { createSandbox } = await import('../../../lib/dev/sandbox/index.js');

it('Express 4 runs the sandbox', async () => {
  const { redirectUrl, callbacks } = await aCustomer((nth) =>
    nth === 2
      ? { status: 404 }
      : { headers: { 'content-type': 'application/json' }, body: '{"redirect_uri":"http://a.example/"}' },
  );
  const service = await createSandbox({ redirectUrl });
  try {
    expect(await decide(await start(service), 'approve')).toBe('http://a.example/');
    expect(callbacks[0]?.body.get('presentation')).toMatch(/^eyJ/);
    expect((await post(await start(service), { decision: 'decline' })).status).toBe(502);
    expect((await prove(service, '{')).body.error?.['error']).toBe('error_invalid_body');
    expect((await prove(service, '')).body.error?.['error']).toBe('error_invalid_body');
    expect((await prove(service, 'x'.repeat(70_000))).body.error?.['error']).toBe('error_invalid_body');
    expect((await prove(service, request(), { authorization: 'Bearer x' })).status).toBe(401);
    expect((await fetch(`${service.url}/nothing`)).status).toBe(404);
    expect((await post(await start(service), {})).status).toBe(400);
  } finally {
    await service.close();
  }
});

it('Express 4 takes a rejected handler', async () => {
  let broken = false;
  const service = await createSandbox({
    redirectUrl: 'http://localhost:1/cb',
    clock: () => {
      if (broken) throw new Error('no time');
      return new Date();
    },
  });
  try {
    const url = await start(service);
    broken = true;
    expect((await post(url, { decision: 'approve' })).status).toBe(500);
  } finally {
    await service.close();
  }
});
