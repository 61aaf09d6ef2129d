import { describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../lib/index.js';
import { testClock } from '../../support/clock.js';
import { material } from '../../support/verify/eudi.js';
import { now } from '../../support/verify/issuer.js';
import { caOf, signerBelow } from '../../support/verify/chains.js';
import { pemOf } from '../../support/verify/certificates.js';
import { signer, startProcess, trusting } from '../../support/verify/lists.js';

/** The lists that SPRIND published for its sandbox on two days, as they are, and their one signer. */
const june = { list: material('german-pid-list.2026-06-28.jwt'), at: Date.UTC(2026, 5, 29) };
const july = { list: material('german-pid-list.2026-07-12.jwt'), at: Date.UTC(2026, 6, 13) };
const [header = ''] = june.list.split('.');
const { x5c } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { x5c: [string] };
const sprind = `-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----\n`;

const day = 86_400_000;
const bothCas = 'CN=PIDP Preprod CA, CN=PIDP Demo CA';
const stranger = [signerBelow(caOf('Stranger'))];

/** A process that trusts the list, with a clock that goes to the day of each list that is published. */
function process(lote: object = {}) {
  const { judge, publish, wait } = startProcess(
    trusting({ url: 'https://trust-list.example/pid-provider.jwt', signers: [sprind], ...lote }),
  );
  let time = now.getTime();
  return {
    /** The common names of the anchors under this list, by what a stranger is told, or why it is not used. */
    async on({ list, at }: { readonly list: string; readonly at: number }): Promise<string> {
      publish(list);
      wait(at - time);
      time = at;
      const said = await judge(stranger);
      return said.startsWith('key_not_found K03 ') ? (said.match(/CN=PIDP \w+ CA/g) ?? []).join(', ') : said;
    },
  };
}

const tooLong = 'L11 its next update is more than 184 days ahead.';
const wentBack = 'L08 it is older than a list that was accepted before.';
const unsigned = 'L05 it is not signed by a configured signer.';
const allowing = (...dangerouslyAllow: string[]) => ({ dangerouslyAllow });
const none = 'L15 no entity in it that counts has a certificate that issues PIDs.';
const both = allowing('sequence-reset', 'long-validity');

describe('F80 the German list as it is published', () => {
  const [head = '', payload = '', signature = ''] = july.list.trim().split('.');
  const raised = Buffer.from(payload, 'base64url')
    .toString()
    .replace('"LoTESequenceNumber":1', '"LoTESequenceNumber":9');
  const changed = `${head}.${Buffer.from(raised).toString('base64url')}.${signature}`;
  const demo = { entities: ['Bundesdruckerei GmbH DEMO PID-Provider'] };

  test.each([
    ['of July, on its day: its two PID CAs are anchors', {}, july, bothCas],
    ['of July, whatever the entry allows', both, july, bothCas],
    ['of June: its next update is a year ahead', {}, june, tooLong],
    ['of June: to allow another thing is not enough', allowing('sequence-reset'), june, tooLong],
    ['of June: a year ahead, where the entry allows it', allowing('long-validity'), june, bothCas],
    ['of June, where the entry allows both', both, june, bothCas],
    ['of July only with its signer pinned', { signers: [pemOf(signer)] }, july, unsigned],
    ['of July only whole and unchanged', {}, { ...july, list: changed }, unsigned],
    ['of July only in time', both, { ...july, at: july.at + day }, 'L11 its next update is overdue.'],
    ['of July only for its country', { territories: ['AT'] }, july, none],
    ['of July for one of its providers', demo, july, 'CN=PIDP Demo CA'],
  ])('F80 %s', async (_, lote, list, verdict) => {
    expect(await process(lote).on(list)).toBe(verdict);
  });

  test('F80 of July after that of June: its number went back from 2 to 1, which the entry must allow', async () => {
    const long = process({ ...allowing('long-validity'), maxStale: '1d' });
    expect([await long.on(june), await long.on(july)]).toEqual([bothCas, wentBack]);
    const lenient = process({ ...both, maxStale: '1d' });
    expect([await lenient.on(june), await lenient.on(july)]).toEqual([bothCas, bothCas]);
  });

  test('F80 and never that of June again, in this process and in the next', async () => {
    const store = memoryStore({ clock: testClock(july.at) });
    const again = { ...june, at: july.at + 2 * day };
    const first = process({ ...both, store, maxStale: '1d' });
    expect([await first.on(july), await first.on(again)]).toEqual([bothCas, wentBack]);
    expect(await process({ ...both, store }).on(again)).toBe(wentBack);
  });
});
