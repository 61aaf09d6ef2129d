import { describe, expect, it } from '@jest/globals';
import { openSandbox } from '../../support/app.js';
import { accessOf, entryOf, startWalletApp } from '../../support/wallets.js';
import { credoWallet } from '../../support/credo-wallet.js';
import { worldOf } from '../../support/foreign-wallet.js';

// A second wallet of other people's libraries: a whole agent, which shares no code with the kit, and only the lowest
// library with the first one.

/** An app that asks for these attributes, a page that waits, and what the app's hook has seen of whoever came back. */
async function open(reveal: readonly string[], claims?: object) {
  const sandbox = await openSandbox({ issuer: 'de-ausweis' });
  const trust = { 'de-ausweis': { ...entryOf(sandbox), claims } };
  const people: unknown[] = [];
  const onVerified = ({ result }: { result: { attributes: unknown } }) => void people.push(result.attributes);
  const app = await startWalletApp({ sandbox, options: { reveal, onVerified, trust } });
  const wallet = await credoWallet(worldOf(app.sandbox, app.access.anchors));
  return { app, wallet, people, waiting: await app.begin() };
}

const erika = { given_name: 'ERIKA', family_name: 'MUSTERMANN', birth_date: '1964-08-12' };

describe('Credo', () => {
  it('shows the person that the app lets in, by the link', async () => {
    const { wallet, people, waiting } = await open(Object.keys(erika));
    const opened = await wallet.open(waiting.links.link ?? '');
    expect(Object.keys(opened.shown)).toEqual(
      expect.arrayContaining(['given_name', 'family_name', 'birthdate']),
    );
    expect(opened.shown).not.toHaveProperty('nationalities');
    const { status, body } = await opened.answer();
    expect(status).toBe(200);
    expect((await waiting.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(people).toEqual([erika]);
  });

  it('shows the person that the app lets in, by the code', async () => {
    const { app, wallet, people, waiting } = await open(Object.keys(erika));
    const opened = await wallet.open(waiting.links.code ?? '');
    expect(await opened.answer()).toEqual({ status: 200, body: {} });
    expect((await waiting.poll()).body).toEqual({ status: 'over' });
    const { location = '' } = await waiting.again();
    expect((await waiting.browser.get(new URL(location, app.url).href)).status).toBe(303);
    expect(people).toEqual([erika]);
  });

  // Credo treats a list as one claim ("Array disclosure frames are not yet supported", up to 0.7.0), so it shows no element
  // that has a Disclosure of its own, whether the path of the query ends in null, in an index or in the list's name.
  it('shows a list of nationalities without any, which is refused by C13', async () => {
    const { app, wallet, people, waiting } = await open(['nationality']);
    const opened = await wallet.open(waiting.links.link ?? '');
    expect(opened.shown['nationalities']).toEqual([]);
    const { status, body } = await opened.answer();
    expect(status).toBe(200);
    expect(new URL(body.redirect_uri ?? '').searchParams.get('error')).toBe('attributes_missing');
    expect(app.events.at(-1)).toMatchObject({ type: 'callback.refused', check: 'C13' });
    await waiting.browser.get(body.redirect_uri ?? '');
    expect(people).toEqual([]);
  });

  it('shows the nationalities that a wallet names to it one by one', async () => {
    const { wallet, people, waiting } = await open(['given_name', 'nationality']);
    const opened = await wallet.open(waiting.links.link ?? '');
    const { body } = await opened.answer({ ...opened.shown, nationalities: { 0: 'DE' } });
    expect((await waiting.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(people).toEqual([{ given_name: 'ERIKA', nationality: ['DE'] }]);
  });

  it.each([
    ['the age that it has, and no date', undefined, { age_equal_or_over: { 18: true } }],
    ['the date where it has no ages', { age_over: ['ages_of_another_issuer'] }, { birthdate: '1964-08-12' }],
  ])('shows %s', async (_, claims, shown) => {
    const { wallet, people, waiting } = await open(['age_over_18'], claims);
    const opened = await wallet.open(waiting.links.link ?? '');
    const personal = ['age_equal_or_over', 'birthdate', 'given_name', 'family_name', 'nationalities'];
    const seen = Object.entries(opened.shown).filter(([name]) => personal.includes(name));
    expect(Object.fromEntries(seen)).toEqual(shown);
    const { body } = await opened.answer();
    expect((await waiting.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(people).toEqual([{ age_over_18: true }]);
  });

  it('does not answer an app that nobody of its world has certified', async () => {
    const app = await startWalletApp();
    const others = await accessOf();
    const wallet = await credoWallet(worldOf(app.sandbox, others.anchors));
    const { links } = await app.begin();
    await expect(wallet.open(links.link ?? '')).rejects.toThrow('No trusted certificate was found');
  });
});
