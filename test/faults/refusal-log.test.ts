import { describe, expect, test } from '@jest/globals';
import { IdentityError } from '../../lib/index.js';
import { failed } from '../service/service.js';
import { openSandbox, startApp, testClock, throws } from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import { callbackApps } from '../support/callbacks.js';
import { listen } from '../support/lines.js';
import { inMode } from '../support/mode.js';

type Mode = 'production' | 'development';

/** The line with the flow's public id taken out. */
/** The line without what differs: the flow, and in development the address of the sandbox's page of the code. */
const plain = (line: string | undefined): string | undefined =>
  line
    ?.replace(/flow [\w-]{43}/, 'flow F')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/errors\//, 'npx pidgate explain ');

/** An app whose trust entry asks for another type of credential than the wallets have. */
async function openMisfit(mode: Mode | undefined) {
  const { lines, logger } = listen();
  const clock = testClock();
  const sandbox = await openSandbox({ wait: async () => {} });
  const { 'xx-sandbox': entry } = sandbox.options.trust;
  const trust = { 'xx-sandbox': { ...entry, vct: ['urn:eudi:pid:xx:9'] } };
  const options = { clock, logger, allowSandbox: true, trust };
  const app = await inMode(mode, async () => startApp({ sandbox, options }));
  sandbox.redirectUrl = `${app.url}/identity/callback`;
  /** A whole way through the wallet; returns where the browser ends. */
  const go = async (): Promise<{ text: string; url: string }> => {
    const { browser, back } = await app.waiting();
    return await browser.visit(back);
  };
  return { app, clock, lines, go };
}

const sentence = 'C02: The credential is not of the type (vct) urn:eudi:pid:xx:9.';
const page = 'See npx pidgate explain presentation_invalid';

describe('F67 a trust entry that does not fit', () => {
  test.each<Mode | undefined>(['production', undefined])(
    'F67 is one line per number and minute, with the sentence, and after ten it says so (NODE_ENV %s)',
    async (mode) => {
      const { lines, clock, go } = await openMisfit(mode);
      const line = `warn pidgate: presentation_invalid (flow F, request default). ${sentence} ${page}`;
      for (let times = 0; times < 9; times += 1) await go();
      expect(lines.map(plain)).toEqual([line]);
      const { text, url } = await go();
      const all = `warn pidgate: presentation_invalid (request default): all fail with C02: the trust entry does not match. ${page}`;
      expect(lines.map(plain)).toEqual([line, all]);
      expect(url).toMatch(/\?error=presentation_invalid&flow=[\w-]+$/);
      expect(text).not.toMatch(/C02|developer/);
      clock.forward(60_000);
      await go();
      expect(lines.map(plain)).toEqual([line, all, line, all]);
    },
  );

  test('F67 in development the page says it too, to the browser whose flow it was and to no other', async () => {
    const { app, lines, go } = await openMisfit('development');
    const { text, url } = await go();
    const link = /Every step and check: <a href="http:\/\/127\.0\.0\.1:\d+\/timeline\/[\w-]{43}">/;
    expect(text).toContain(`For the developer: ${sentence} Every step and check: `);
    expect(text).toMatch(link);
    expect(plain(lines.at(-1))).toBe(
      `warn pidgate: presentation_invalid (flow F, request default). ${sentence} ${page}`,
    );
    for (const address of [url, url.replace('presentation_invalid', 'refused')]) {
      expect((await app.browser().get(address)).text).not.toContain('C02');
    }
  });
});

describe('F67 what is counted', () => {
  const open = callbackApps();
  const refusing = (check: string) => ({ valid: false, check, reason: 'Erika Mustermann, marker' }) as const;

  test("F67 of a customer's verifier there is neither its reason nor its number, in any mode", async () => {
    for (const mode of ['production', 'development', undefined] as const) {
      const { lines, logger } = listen();
      const told: string[] = [];
      const onError = ({ error }: { error: IdentityError }): void => void told.push(error.message);
      const app = await inMode(mode, async () =>
        open({ judge: () => refusing('B07'), hooks: { onError }, options: { logger } }),
      );
      for (let times = 0; times < 12; times += 1) {
        const begun = await app.begin();
        await app.deliver({ presentation: `bad ${times}`, state: begun.state });
      }
      expect(lines.map(plain)).toEqual([
        `warn pidgate: presentation_invalid (flow F, request default). The presentation failed a check. ${page}`,
      ]);
      expect(told[0]).toBe('B07: Erika Mustermann, marker');
    }
  });

  test('F67 an IdentityError that a verifier throws is told by the sentence of its code', async () => {
    const { lines, logger } = listen();
    const fault = { message: 'marker Erika', check: 'marker', cause: 'marker' };
    const judge = throws(new IdentityError('keys_unavailable', fault));
    const app = await open({ judge, options: { logger } });
    const begun = await app.begin();
    await app.deliver({ presentation: 'good', state: begun.state });
    expect(lines.map(plain)).toEqual([
      "error pidgate: keys_unavailable (flow F, request default). The issuer's keys could not be fetched. See npx pidgate explain keys_unavailable",
    ]);
  });

  test("F67 a system code is told, and no other code of the app's", async () => {
    for (const [code, shown] of [
      ['ECONNREFUSED', ' (ECONNREFUSED)'],
      ['MARKER', ''],
    ]) {
      const { lines, logger } = listen();
      const onVerified = throws(Object.assign(new Error('marker Erika'), { code }));
      const app = await open({ hooks: { onVerified }, options: { logger } });
      const begun = await app.begin();
      await app.deliver({ presentation: 'good', state: begun.state });
      expect(lines.map(plain)).toEqual([
        `error pidgate: hook_failed (flow F, request default). The hook onVerified failed${shown}. See npx pidgate explain hook_failed`,
      ]);
    }
  });
});

test("F67 production lines have the service's fault in the kit's sentence, and a system code", async () => {
  const { lines, logger } = listen();
  const app = await startAsking({ options: { logger } });
  const press = async (): Promise<unknown> => await app.browser().post(`${app.url}/identity/start`);
  app.service.answers(failed(401, 'error_api_key', 'marker-inside'));
  await press();
  app.service.answers(failed(500, 'erika_mustermann', 'marker-inside'));
  await press();
  await app.service.stop();
  await press();
  await app.close().catch(() => undefined);
  expect(lines.map(plain)).toEqual([
    'error pidgate: error_api_key (flow F, request default). The service reported error_api_key: the API key is missing or not valid. See npx pidgate explain error_api_key',
    'warn pidgate: service_error (flow F, request default). The service reported an error. See npx pidgate explain service_error',
    'error pidgate: service_unreachable (flow F, request default). The service could not be reached (ECONNREFUSED). See npx pidgate explain service_unreachable',
  ]);
});
