import { expect, it } from '@jest/globals';
import { foreignWallet } from '../foreign-wallet.js';
import { germanFlow, openid4vpLinkOn } from '../german.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

it.each(['x509_hash', 'x509_san_dns'] as const)(
  'a wallet of other libraries proves a PID to %s',
  async (clientIdPrefix) => {
    const flow = await germanFlow({ clientIdPrefix, request: { revealed: ['given_name', 'nationality'] } });
    const wallet = await foreignWallet(flow.service, 'dual');
    const opened = await wallet.open(openid4vpLinkOn((await flow.browser.get(flow.page)).text));
    expect(opened.clientId.startsWith(`${clientIdPrefix}:`)).toBe(true);
    expect(opened.asked).toEqual(['given_name', 'nationalities']);
    const reply = await opened.send(await opened.respond());
    expect(reply).toEqual({ status: 200, body: { redirect_uri: returnUrl } });
    expect(await flow.verdict()).toMatchObject({
      valid: true,
      attributes: { given_name: 'LENA', nationality: ['DE', 'FR'] },
    });
  },
);
