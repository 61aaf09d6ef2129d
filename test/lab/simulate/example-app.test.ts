import type { RequestListener } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { type SandboxIssuerId, createSandbox } from 'pidgate/sandbox';
import { createApp } from '../../../example-app/app.js';
import { closeAfter } from '../../support/close-after.js';
import { serve } from '../../support/serve.js';

jest.setTimeout(90_000); // forty-odd scenarios; the app waits ten seconds for a service that hangs

interface Row {
  readonly scenario: string;
  readonly passed: boolean;
  readonly leftOut?: true;
}

test.each<SandboxIssuerId>(['xx-sandbox', 'de-ausweis'])(
  'the example app passes every scenario, with %s',
  async (issuer) => {
    let app: RequestListener = () => undefined;
    const url = await serve((req, res) => app(req, res), 'localhost');
    const sandbox = await createSandbox({ issuer, redirectUrl: `${url}/identity/callback` });
    closeAfter(async () => await sandbox.close());
    app = createApp({ identity: sandbox.options, session: { secret: 'only for tests' }, log: () => {} });
    const response = await fetch(`${sandbox.url}/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${url}/machines` }),
    });
    const rows = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    expect(rows.filter(({ passed }) => !passed)).toEqual([]);
    const played = rows.filter(({ leftOut }) => leftOut !== true).length;
    expect(played).toBe(issuer === 'xx-sandbox' ? 43 : 42);
    expect(rows.at(-1)).toMatchObject({
      scenario: 'minor',
      did: expect.stringContaining('stays closed for Leon'),
    });
    console.log(
      `simulate --all against the example app, ${issuer}: ${played} of ${rows.length} scenarios played`,
    );
  },
);
