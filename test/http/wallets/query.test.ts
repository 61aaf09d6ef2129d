import { describe, expect, it } from '@jest/globals';
import { walletWorld } from '../../support/wallets.js';

const { openApp } = walletWorld();

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
