import { beforeAll, describe, expect, test } from '@jest/globals';
import { openRecord } from '../../../lib/flow/record.js';
import type { FlowRecord } from '../../../lib/flow/record.js';
import { open } from '../../../lib/flow/encryption.js';
import { namesOf, resultKey, sha256 } from '../../../lib/flow/secrets.js';
import { type Dump, dumpOf } from './dump.js';
import { deliver, newPerson } from './person.js';
import { present } from './wallet.js';
import { type Written, keysOf, openersOf, readings, sealedIn, textsIn } from '../../faults/dumps.js';
import { onEngines, stageFor } from './engines.js';

const count = 100;

/** A hundred people who are called like Erika Mustermann, each a little otherwise. */
const people = Array.from({ length: count }, (_, index) => ({
  given_name: `${['Erika', 'Érika', 'Erika Ilse', 'ERIKA', '艾丽卡'][index % 5]} ${index}`,
  family_name: `${['Mustermann', 'Müstermann', 'von Mustermann-Gabler'][index % 3]} ${index}`,
  birthdate: `19${10 + (index % 90)}-0${1 + (index % 9)}-${10 + (index % 18)}`,
  nationalities: index % 4 === 0 ? ['DE', 'FR'] : ['DE'],
}));

/** One flow, verified, whose person is not back yet. */
interface Waiting {
  readonly id: string;
  readonly state: string;
  readonly secret: string;
  readonly body: string;
}

/**
 * What can be taken out of these: each word; of every tenth flow also each piece of what is sealed, in a secret's
 * length, and what any of it is when it is digested or decoded.
 */
function textsOf(held: readonly Written[], index: number): string[] {
  const words = held.flatMap(({ id, value }) => [id, ...(value.match(/[^\s"{}[\],:.?=]+/g) ?? [])]);
  return [...new Set(index % 10 === 0 ? [...words, ...words.map(sha256), ...textsIn(held)] : words)];
}

describe('F35 a hundred flows between callback and return', () => {
  onEngines(['node-redis', 'postgres'], (engine) => {
    const stage = stageFor(engine, 1);
    const flows: Waiting[] = [];
    let dump: Dump;

    beforeAll(async () => {
      const app = await stage().begin();
      for (const attributes of people) {
        const state = await newPerson().start(app);
        const presentation = present(state, attributes);
        const { redirectUri = '' } = await deliver(app, { state, presentation });
        const [id = '', secret = ''] = (new URL(redirectUri).searchParams.get('code') ?? '').split('.');
        flows.push({
          id,
          state,
          secret,
          body: sha256(JSON.stringify(['presentation', state, presentation])),
        });
      }
      dump = await dumpOf(stage().engine);
    });

    const flowOf = ({ id }: Waiting): Written =>
      dump.flows.find((it) => it.id === id) ?? { id: '', value: '' };
    const sessionOf = ({ state }: Waiting): Written =>
      dump.sessions.find(({ value }) => value.includes(state)) ?? { id: '', value: '' };

    /** What a state opens; every state lies in a session. */
    function recordOf(flow: Waiting): FlowRecord | undefined {
      const [sealed] = sealedIn([flowOf(flow)]);
      return sealed && openRecord(namesOf(flow.state, '/identity').key, sealed.id, sealed.envelope);
    }

    /** What lies sealed inside the record, and which of these keys opens it. */
    const opened = ({ id }: Waiting, sealed: (string | undefined)[], keys: readonly Buffer[]): string[] =>
      sealed.flatMap((it) => keys.flatMap((key) => (it === undefined ? [] : (open(key, id, it) ?? []))));

    test('F35 all of it is in the dump', () => {
      expect([dump.flows.length, dump.sessions.length]).toEqual([count, count]);
      expect(new Set(dump.flows.map(({ id }) => id))).toEqual(new Set(flows.map(({ id }) => id)));
      expect(flows.filter((flow) => sessionOf(flow).value.includes(flow.state))).toHaveLength(count);
    });

    test('F35 the flow store alone opens nothing', () => {
      const opening = flows.flatMap((flow, index) =>
        openersOf([flowOf(flow)], textsOf([flowOf(flow)], index)),
      );
      expect(opening).toEqual([]);
      // Nor does what lies beside another flow.
      const beside = dump.flows.flatMap(({ id, value }) => [id, ...value.split('.').slice(0, 3)]);
      const some = dump.flows.slice(0, 10);
      expect(openersOf(some, new Set([...beside, ...beside.map(sha256)]))).toEqual([]);
      // The same trial does open with a state, so it is one.
      expect(
        openersOf(
          some,
          flows.map(({ state }) => state),
        ),
      ).toHaveLength(some.length);
    });

    test('F35 flows and sessions together open the records, and no result and no reply in them', () => {
      let tried = 0;
      for (const [index, flow] of flows.entries()) {
        const record = recordOf(flow);
        expect(record?.status).toBe('verified');
        const sealed = [record?.result, record?.reply];
        const held = [flowOf(flow), sessionOf(flow), { id: flow.id, value: JSON.stringify(record) }];
        const texts = textsOf(held, index);
        const keys = texts.flatMap((text) => keysOf(text, flow.state));
        tried += keys.length;
        expect(opened(flow, sealed, keys)).toEqual([]);
        // The same trial does open with the code, and with the body, which lie in neither store.
        const [person] = opened(flow, sealed, [resultKey(flow.secret)]);
        expect(person).toContain('family_name');
        expect(opened(flow, sealed, keysOf(flow.body, flow.state))).toHaveLength(1);
      }
      expect(tried).toBeGreaterThan(count * 200);
    });

    test('F35 no attribute is to be read in it, however it is decoded', () => {
      const texts = [...dump.flows, ...dump.sessions].flatMap(({ id, value }) => [id, ...readings(value)]);
      texts.push(...flows.flatMap((flow) => readings(JSON.stringify(recordOf(flow)))));
      const all = texts.join('\n');
      const utf8 = Buffer.from(all, 'latin1').toString();
      const values = people.flatMap(({ given_name, family_name, birthdate }) => [
        given_name,
        family_name,
        birthdate,
      ]);
      for (const value of [...values, 'Erika', 'Mustermann', 'ERIKA']) {
        expect([value, all.includes(value), utf8.includes(value)]).toEqual([value, false, false]);
      }
    });
  });
});
