import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { run } from '../../../lib/dev/cli/run.js';
import { certify, x5cOf } from '../../support/verify/certificates.js';
import { erika, now } from '../../support/verify/issuer.js';
import { entry, present, state } from '../../support/verify/verdicts.js';
import { startApp } from '../../support/app.js';
import { app as plainApp, type FakeTerminal, folder, startDev, terminal } from './terminal.js';

type Settings = Parameters<typeof terminal>[0];

const root = certify({ subject: 'PID Root', isCa: true });
const leaf = certify({ subject: 'PID Issuer', issuer: root });
const token = present({ sd: erika, issuer: leaf.keys, header: { x5c: x5cOf(leaf) } });

/** What was printed, without colours. */
const plain = (at: FakeTerminal): string => stripVTControlCharacters(at.out() + at.err());

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Lines that are wider, though they could have been broken at a space. */
const tooWide = (text: string, columns: number): string[] =>
  text.split('\n').filter((line) => line.length > columns && line.trim().includes(' '));

/** At every width the same words in the same order: none is cut, broken or left out. */
async function expectSameWords(print: (settings: Settings) => Promise<FakeTerminal>): Promise<void> {
  const whole = plain(await print({}));
  for (const columns of [60, 80, 120]) {
    for (const color of [false, true]) {
      const at = await print({ columns, color });
      expect(color || plain(at) === at.out() + at.err()).toBe(true);
      expect({ columns, color, tooWide: tooWide(plain(at), columns) }).toEqual({
        columns,
        color,
        tooWide: [],
      });
      expect(wordsOf(plain(at))).toEqual(wordsOf(whole));
    }
  }
}

async function runAt(argv: readonly string[], settings: Settings): Promise<FakeTerminal> {
  const at = terminal(settings);
  await run(argv, at);
  return at;
}

describe('the width is the terminal’s, and nothing is broken within a word', () => {
  const cwd = folder({ 'trust.json': JSON.stringify(entry) });
  const trusted = ['--trust', 'trust.json', '--state', state, '--at', now.toISOString()];

  it.each([
    ['inspect, a good presentation', trusted],
    ['inspect --all', [...trusted, '--all']],
    ['inspect, a refused one', [...trusted.slice(0, 3), 'another', '--at', now.toISOString()]],
    ['inspect without trust', ['--all']],
  ])('%s', async (_what, args) => {
    await expectSameWords(async (settings) => {
      const stdin = Readable.from([Buffer.from(token)]);
      return await runAt(['inspect', ...args], {
        cwd: folder({ 'trust.json': JSON.stringify(entry) }),
        ...settings,
        stdin,
      });
    });
  });

  it('simulate has one row a scenario, with failures and what was left out', async () => {
    const { url } = await startApp({
      options: { onError: () => ({ redirectTo: '/' }), derived: undefined },
      after: (express, identity) =>
        express
          .get('/club', identity.require(), (_req, res) => res.send('The club'))
          .get('/', (_req, res) => res.send('Welcome')),
    });
    const names = [
      'approve',
      'declined',
      'status_unreachable',
      'derived_true',
      'prove_400_missing_parameter',
    ];
    const rows = async (columns: number | undefined): Promise<string[]> => {
      const at = await runAt(
        ['simulate', ...names, '--url', `${url}/club`],
        columns === undefined ? {} : { columns },
      );
      return (plain(at).split('\n\n')[0] ?? '').split('\n');
    };
    // A row each: what is too wide is cut between two words.
    for (const columns of [60, 80, undefined]) {
      const shown = await rows(columns);
      expect(shown.map((row) => /^ {2}\d\/5 {2}\w+ +(\w+)/.exec(row)?.[1])).toEqual(names);
      expect(shown.filter((row) => row.length > (columns ?? Infinity))).toEqual([]);
    }
    expect(await rows(80)).toContain(
      '  3/5  ok    status_unreachable          credential_status_unavailable, closed',
    );
  });

  it('doctor, with findings and what it cannot see', async () => {
    const { url } = await startApp({ options: { appUrl: 'http://localhost:1' } });
    await expectSameWords(async (settings) => await runAt(['doctor', '--url', url], settings));
  });

  it('a mistake in a command', async () => {
    await expectSameWords(async (settings) => await runAt(['dev', '--callback', 'somewhere'], settings));
    await expectSameWords(async (settings) => await runAt(['inspect', 'nowhere.txt'], { cwd, ...settings }));
  });

  it.each([60, 80, 120])(
    'dev at %i columns: banner, log and warnings keep addresses whole',
    async (columns) => {
      const { at, get, port } = await startDev(plainApp, { columns, args: ['--issuer', 'de-ausweis'] });
      const env = JSON.parse(await get()) as Record<string, string>;
      const sandbox = env['IDENTITY_SANDBOX_URL'] ?? '';
      const begun = await fetch(`${sandbox}/prove`, {
        method: 'POST',
        headers: { authorization: `Bearer ${env['IDENTITY_API_KEY']}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          issuer: 'xx-sandbox',
          revealed: ['birth_date', 'given_name'],
          state: 'a state',
        }),
      });
      const { redirect_url } = (await begun.json()) as { redirect_url: string };
      await fetch(redirect_url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
      await at.said('/timeline/');
      const said = plain(at);
      expect(tooWide(said, columns)).toEqual([]);
      for (const address of [sandbox, `http://localhost:${port}`]) {
        expect(wordsOf(said)).toContain(address);
      }
      const timelines = wordsOf(said).filter((word) => word.includes('/timeline/'));
      for (const address of timelines) expect((await fetch(address)).status).toBe(200);
      expect(timelines).not.toEqual([]);
    },
  );
});
