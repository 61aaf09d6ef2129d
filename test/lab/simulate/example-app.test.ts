import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { type SandboxIssuerId, createSandbox } from 'pidgate/sandbox';
import { createApp } from '../../../example-app/app.js';

jest.setTimeout(90_000); // forty-odd scenarios; the app waits ten seconds for a service that hangs

interface Row {
  readonly scenario: string;
  readonly passed: boolean;
  readonly leftOut?: true;
}

test.each<SandboxIssuerId>(['xx-sandbox', 'de-ausweis'])(
  'the example app passes every scenario, with %s',
  async (issuer) => {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    const url = `http://localhost:${(server.address() as AddressInfo).port}`;
    const sandbox = await createSandbox({ issuer, redirectUrl: `${url}/identity/callback` });
    server.on('request', createApp({ service: sandbox.options }));
    try {
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
      expect(played).toBe(issuer === 'xx-sandbox' ? 42 : 41);
      console.log(
        `simulate --all against the example app, ${issuer}: ${played} of ${rows.length} scenarios played`,
      );
    } finally {
      server.closeAllConnections();
      server.close();
      await sandbox.close();
    }
  },
);
