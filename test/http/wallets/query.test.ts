import { describe, expect, it } from '@jest/globals';
import { entryOf, walletWorld } from '../../support/wallets.js';

const { openApp, sandbox } = walletWorld();

describe('what an app asks a wallet for', () => {
  it('is in the query, with the type and the claims of its trust entry', async () => {
    const reveal = ['family_name', 'birth_date'];
    const app = await openApp({ reveal });
    const { links } = await app.begin();
    const { request } = await app.wallet.open(links.link ?? '');
    expect(request['dcql_query']).toEqual({
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:de:1'] },
          claims: [{ path: ['family_name'] }, { path: ['birthdate'] }],
        },
      ],
    });
  });

  it('names the algorithms that its trust entry accepts', async () => {
    const trust = { 'de-ausweis': { ...entryOf(sandbox()), algorithms: ['ES256', 'ES384'] } };
    const app = await openApp({ trust });
    const { links } = await app.begin();
    const { request } = await app.wallet.open(links.link ?? '');
    const both = ['ES256', 'ES384'];
    expect(request.client_metadata).toMatchObject({
      vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': both, 'kb-jwt_alg_values': both } },
    });
  });

  it('is each element of a list of nationalities: a wallet that shows no more than that shows them', async () => {
    const people: unknown[] = [];
    const onVerified = ({ result }: { result: { attributes: unknown } }) =>
      void people.push(result.attributes);
    const app = await openApp({ reveal: ['nationality'], onVerified });
    const { browser, links } = await app.begin();
    const opened = await app.wallet.open(links.link ?? '');
    const { body } = await opened.send(await opened.respond());
    await browser.get(body.redirect_uri ?? '');
    expect(people).toEqual([{ nationality: ['DE'] }]);
  });
});
