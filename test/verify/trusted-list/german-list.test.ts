import { describe, expect, test } from '@jest/globals';
import { listOfTrustedEntities } from '../../../lib/verify/trusted-list/source.js';
import { parseLeafRules } from '../../../lib/verify/x5c/signer-policy.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { testClock } from '../../support/clock.js';
import { material } from '../../support/verify/eudi.js';
import { thrown } from '../../support/verify/verdicts.js';
import { signer } from '../../support/verify/lists.js';
import { pemOf } from '../../support/verify/certificates.js';

/** The lists that SPRIND published for its sandbox on two days, as they are, and their one signer. */
const june = { list: material('german-pid-list.2026-06-28.jwt'), at: Date.UTC(2026, 5, 29) };
const july = { list: material('german-pid-list.2026-07-12.jwt'), at: Date.UTC(2026, 6, 13) };
const [header = ''] = june.list.split('.');
const { x5c } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { x5c: [string] };
const sprind = `-----BEGIN CERTIFICATE-----\n${x5c[0]}\n-----END CERTIFICATE-----\n`;

const url = 'https://trust-list.example/pid-provider.jwt';
const bothCas = ['CN=PIDP Preprod CA', 'CN=PIDP Demo CA'];

/** A process that trusts the list, with a clock that goes to the day of each list that is published. */
function process(lote: object = {}) {
  const rules = { url, signers: [sprind], territories: ['DE'], ...lote };
  const source = listOfTrustedEntities(rules, 'lote', parseLeafRules({}, 'leaf'), undefined);
  const clock = testClock(0);
  let published = '';
  const fetch = async (): Promise<Response> => new Response(published);
  return {
    /** The common names of the anchors under this list, or why it is not used. */
    async on({ list, at }: { readonly list: string; readonly at: number }): Promise<readonly string[]> {
      published = list;
      clock.forward(at - clock().getTime());
      let names: readonly string[] = [];
      const error = await thrown(async () => {
        const { credential, statusList, leaves } = await source.current({ clock, fetch });
        names = credential.map(({ name }) => name.replace(/^.*CN=/, 'CN='));
        expect(statusList.map(({ name }) => name.replace(/^.*CN=/, 'CN='))).toEqual(names);
        expect(leaves).toEqual([]);
      });
      return error === undefined ? names : [(error as Error).message.replace(/^.*cannot be used: /, '')];
    },
  };
}

const tooLong = ['its next update is more than 184 days ahead.'];
const wentBack = ['it is older than a list that was accepted before.'];
const both = { dangerouslyAllow: ['sequence-reset', 'long-validity'] };

describe('F80 the German list as it is published', () => {
  test('F80 of July, on its day: its two PID CAs are anchors', async () => {
    expect(await process().on(july)).toEqual(bothCas);
    expect(await process(both).on(july)).toEqual(bothCas);
  });

  test('F80 of June: its next update is a year ahead, which the entry must allow', async () => {
    expect(await process().on(june)).toEqual(tooLong);
    expect(await process({ dangerouslyAllow: ['sequence-reset'] }).on(june)).toEqual(tooLong);
    expect(await process({ dangerouslyAllow: ['long-validity'] }).on(june)).toEqual(bothCas);
    expect(await process(both).on(june)).toEqual(bothCas);
  });

  test('F80 of July after that of June: its number went back from 2 to 1, which the entry must allow', async () => {
    const long = process({ dangerouslyAllow: ['long-validity'], maxStale: '1d' });
    expect(await long.on(june)).toEqual(bothCas);
    expect(await long.on(july)).toEqual(wentBack);
    const lenient = process({ ...both, maxStale: '1d' });
    expect(await lenient.on(june)).toEqual(bothCas);
    expect(await lenient.on(july)).toEqual(bothCas);
  });

  test('F80 and never that of June again, in this process and in the next', async () => {
    const clock = testClock(july.at);
    const store = memoryStore({ clock });
    const again = { ...june, at: july.at + 2 * 86_400_000 };
    const first = process({ ...both, store, maxStale: '1d' });
    expect(await first.on(july)).toEqual(bothCas);
    expect(await first.on(again)).toEqual(wentBack);
    expect(await process({ ...both, store }).on(again)).toEqual(wentBack);
  });

  test('F80 only with its signer pinned, whole and unchanged, in time, and for its country', async () => {
    expect(await process({ signers: [pemOf(signer)] }).on(july)).toEqual([
      'it is not signed by a configured signer.',
    ]);
    const [head = '', payload = '', signature = ''] = july.list.trim().split('.');
    const changed = Buffer.from(
      Buffer.from(payload, 'base64url')
        .toString()
        .replace('"LoTESequenceNumber":1', '"LoTESequenceNumber":9'),
    ).toString('base64url');
    expect(await process().on({ ...july, list: `${head}.${changed}.${signature}` })).toEqual([
      'it is not signed by a configured signer.',
    ]);
    expect(await process(both).on({ ...july, at: july.at + 86_400_000 })).toEqual([
      'its next update is overdue.',
    ]);
    expect(await process({ territories: ['AT'] }).on(july)).toEqual([
      'no entity in it that counts has a certificate that issues PIDs.',
    ]);
    expect(
      await process({ territories: undefined, entities: ['Bundesdruckerei GmbH DEMO PID-Provider'] }).on(
        july,
      ),
    ).toEqual(['CN=PIDP Demo CA']);
  });
});
