import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { memoryStore } from '../../../lib/index.js';
import { anchorReader } from '../../../lib/verify/trusted-list/anchors-from-list.js';
import { parseLoteRules } from '../../../lib/verify/trusted-list/list-rules.js';
import { parseLeafRules } from '../../../lib/verify/x5c/signer-policy.js';
import { deep } from '../../support/deep.js';
import { type Authority, pemOf } from '../../support/verify/certificates.js';
import { caOf, good, root, signedWith, signerBelow } from '../../support/verify/chains.js';
import { clock, now } from '../../support/verify/issuer.js';
import {
  day,
  entitiesOf,
  judgeUnderStatus,
  listOf,
  signed,
  signer,
  startProcess,
} from '../../support/verify/lists.js';
import { trusting, types, url } from '../../support/verify/lists.js';
import { fetchList, listToken } from '../../support/verify/servers.js';
import { judgeEach, refuse, refuseEach, refuseValues, thrown } from '../../support/verify/verdicts.js';
import { turns } from '../../support/callbacks.js';
import { holdTimers, pass } from '../../support/held-timers.js';
import { closeServer, listenOn } from '../../support/listen.js';

const other = caOf('Other Root');
const belowOther = [signerBelow(other)];
const hour = 3_600_000;
const renewedList = { sequence: 8, entities: entitiesOf(other) };
const stranger = /^key_not_found K03 /;
const away = () => new Response('', { status: 503 });

/** A process that has accepted a good list, kept as fresh for an hour. */
async function running(trust = trusting(), list = {}) {
  const made = startProcess(trust);
  made.publish(await signed(list), { 'cache-control': 'max-age=3600' });
  expect(await made.judge()).toBe('valid');
  return made;
}

describe('L17 how the list is fetched', () => {
  holdTimers();
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await closeServer(server);
  });

  /** What becomes of a good presentation where a real server publishes the list like this. */
  async function from(answer: (res: ServerResponse) => unknown): Promise<string> {
    const server = createServer((_req, res) => {
      answer(res);
    });
    servers.push(server);
    const url = `${await listenOn(server)}/list`;
    const { judge } = startProcess(trusting({ url }), { fetch: globalThis.fetch });
    return await judge();
  }

  const tooMany = 5 * 1024 * 1024 + 1;
  judgeEach(from, {
    'L17 a connection that breaks': ['L17 it could not be fetched.', (res) => res.destroy()],
    'L17 no UTF-8': ['L17 it came in a reply that is not UTF-8.', (res) => res.end(Buffer.of(0xff))],
    'L17 over 5 MB': ['L17 it came in a reply that is too large.', (res) => res.end(' '.repeat(tooMany))],
    'L17 a slow body': [
      'L17 it did not come within 4 seconds.',
      (res) => {
        res.writeHead(200).write('eyJ');
        setImmediate(() => pass(4000));
      },
    ],
  });

  test('L17 from a real server', async () => {
    const list = await signed();
    expect(await from((res) => res.end(list))).toBe('valid');
  });

  test.each([301, 302, 307, 308, 304, 404, 500, 503])('L17 the status %d', async (status) => {
    const said = await from((res) => res.writeHead(status, { location: '/elsewhere' }).end());
    expect(said).toBe(`L17 it came with the status ${status}.`);
  });

  const addresses = ['http://a.example', 'ftp://a.example', 'https://user@a.example', 'pid.jwt', 7];
  const message = /\.trustedList\.url must be an https URL/;
  refuseValues('K16 the address %p', addresses, (from) => startProcess(trusting({ url: from })), message);
});

describe('L18 how long a list counts', () => {
  const stale = /^L17 it came with the status 503\./;

  test('L18 a list that cannot be renewed counts until maxStale after the last good fetch', async () => {
    const { judge, publish, wait } = await running();
    publish(away);
    wait(3 * day - 1);
    expect(await judge()).toBe('valid');
    wait(1);
    expect(await judge()).toMatch(stale);
    publish(await signed());
    wait(30_000);
    expect(await judge()).toBe('valid');
  });

  test('L18 or until its next update, whichever is earlier', async () => {
    const { judge, publish, wait } = await running(trusting(), { nextUpdate: day });
    publish(away);
    wait(day - 1);
    expect(await judge()).toBe('valid');
    wait(1);
    expect(await judge()).toMatch(stale);
  });

  test('L18 maxStale is configured', async () => {
    for (const maxStale of ['2h', 2 * hour]) {
      const { judge, publish, wait } = await running(trusting({ maxStale }));
      publish(away);
      wait(2 * hour - 1);
      expect(await judge()).toBe('valid');
      wait(1);
      expect(await judge()).toMatch(stale);
    }
  });

  test('L18 a list that goes stale soon after it was fetched', async () => {
    const { judge, publish, wait } = await running(trusting({ maxStale: '10s' }));
    publish(away);
    wait(10_000);
    expect(await judge()).toMatch(stale);
  });

  test('L18 a bad list in place of a good one changes nothing until then', async () => {
    const { judge, publish, wait } = await running();
    publish(await signed({ ...renewedList, sequence: 6 }));
    wait(2 * day);
    expect(await judge()).toBe('valid');
    expect(await judge(belowOther)).toMatch(stranger);
    wait(day);
    expect(await judge()).toMatch(/^L08 /);
  });

  refuseValues('K16 maxStale: %p is refused', ['-1d', 0, 'soon', Number.NaN], (maxStale) =>
    startProcess(trusting({ maxStale })),
  );
});

describe('L19 anchors of the configuration beside a list', () => {
  const beside = (lote: object = {}, until = new Date(now.getTime() + 2 * day)) =>
    trusting(
      { store: memoryStore({ clock }), ...lote },
      { anchors: [pemOf(other)], anchorsValidUntil: until },
    );

  test('L19 count until the first list was accepted, and then never again', async () => {
    const { judge, publish, wait } = startProcess(beside({ maxStale: '1h' }));
    publish(away);
    expect(await judge(belowOther)).toBe('valid');
    publish(await signed());
    wait(30_000);
    expect(await judge(belowOther)).toMatch(stranger);
    expect(await judge()).toBe('valid');
    publish(away);
    wait(hour);
    expect(await judge(belowOther)).toMatch(/^L17 /);
    wait(day);
    expect(await judge(belowOther)).toMatch(/^L17 /);
  });

  test('L19 count until anchorsValidUntil at most', async () => {
    const { judge, publish, wait } = startProcess(beside());
    publish(away);
    wait(2 * day - 1);
    expect(await judge(belowOther)).toBe('valid');
    wait(1);
    expect(await judge(belowOther)).toMatch(/^L17 /);
  });

  test('L19, F107 do not come back by a restart, for the store remembers the list', async () => {
    const store = memoryStore({ clock });
    expect(await (await running(beside({ store }))).judge()).toBe('valid');
    const again = startProcess(beside({ store }));
    again.publish(away);
    expect(await again.judge(belowOther)).toMatch(/^L17 /);
    const fresh = startProcess(beside({ store: memoryStore({ clock }) }));
    fresh.publish(away);
    expect(await fresh.judge(belowOther)).toBe('valid');
  });

  test('L19 do not count while the store cannot say whether there was a list', async () => {
    const store = { ...memoryStore({ clock }), read: async () => await Promise.reject(new Error('away')) };
    const { judge, publish } = startProcess(beside({ store }));
    publish(away);
    expect(await thrown(async () => await judge(belowOther))).toMatchObject({ code: 'store_unavailable' });
    expect(await thrown(async () => await judge(belowOther))).toMatchObject({ code: 'store_unavailable' });
  });

  test('L19 nor again once a list was accepted, while the store cannot say that it was', async () => {
    const store = memoryStore({ clock });
    let isAway = false;
    const read: typeof store.read = async (id) => {
      if (isAway) throw new Error('away');
      return await store.read(id);
    };
    const { judge, wait } = await running(beside({ store: { ...store, read }, maxStale: '1h' }));
    isAway = true;
    wait(hour);
    expect(await thrown(async () => await judge(belowOther))).toMatchObject({ code: 'store_unavailable' });
  });

  const [anchors, anchorsValidUntil] = [[pemOf(other)], new Date()];
  const needed = /anchors and anchorsValidUntil belong together next to trustedList/;
  const wrong: [what: string, x5c: object, message: RegExp][] = [
    ['anchors without an end', { anchors }, needed],
    ['an end without anchors', { anchorsValidUntil }, needed],
    [
      'an end alone',
      { trustedList: undefined, anchors, anchorsValidUntil },
      /counts only for anchors next to/,
    ],
    ['an end that is no date', { anchors, anchorsValidUntil: '2027-01-01' }, /Until must be a valid Date/],
    ['neither', { trustedList: undefined }, /\.x5c\.anchors must be a list/],
  ];
  refuseEach('K16 %s is refused at construction', wrong, (x5c) => startProcess(trusting({}, x5c)));
  refuse(
    'F107 they need a store, without which a restart would bring them back',
    () => startProcess(beside({ store: undefined })),
    "trust['de-ausweis'].keys.x5c.trustedList.store must be the store of the flows where anchorsValidUntil is set: it " +
      'remembers across restarts that a list was accepted, from when on the anchors never count again.',
  );
});

describe('L20 a new list replaces everything that the old one said', () => {
  test('L20 anchors are replaced in a running process without a refused good presentation', async () => {
    const { judge, publish, wait, requests } = await running();
    publish(await signed({ sequence: 8, entities: entitiesOf(root, other) }), {
      'cache-control': 'max-age=3600',
    });
    wait(30_000); // still fresh, but a chain ends at no anchor of it
    expect(await Promise.all([judge(), judge(belowOther), judge(), judge(belowOther)])).toEqual(
      Array(4).fill('valid'),
    );
    expect(requests).toHaveLength(2);
    publish(await signed({ ...renewedList, sequence: 9 }));
    wait(hour);
    expect(await judge(belowOther)).toBe('valid');
    await turns(); // no chain of the old list waits for the new one
    expect(await judge()).toMatch(stranger);
  });

  test('L20 a removed anchor does not live on in a remembered chain', async () => {
    const { judge, publish, wait } = await running();
    publish(await signed(renewedList));
    wait(hour);
    expect(await judge(belowOther)).toBe('valid'); // the new list is here
    expect(await judge()).toMatch(stranger);
  });

  test('L20 nor a status list that was checked with it', async () => {
    const revoker = caOf('Revocation CA');
    const { issuer: signer, header } = signedWith([signerBelow(revoker, { subject: 'Status Signer' })]);
    const revokedBy = (...cas: (typeof revoker)[]) => [
      { services: [{}, ...cas.map((ca) => ({ type: `${types}PID/Revocation`, certificates: [ca] }))] },
    ];
    const uri = 'https://issuer.example/status';
    const token = listToken(uri, { signer, header, payload: { ttl: 86_000, exp: undefined } });
    let list = await signed({ entities: revokedBy(revoker) });
    let asked = 0;
    const lists = fetchList(token, uri, () => list);
    const fetch: typeof lists = async (address) => {
      if (address === uri) asked += 1;
      return await lists(address);
    };
    const { judge, wait } = startProcess(trusting(), { fetch });
    const withStatus = () => judge(good, { status: { status_list: { idx: 0, uri } } });
    expect(await withStatus()).toBe('valid');
    expect(await withStatus()).toBe('valid');
    expect(asked).toBe(1);
    list = await signed({ sequence: 8, entities: revokedBy(other) });
    wait(hour);
    await judge(belowOther); // waits for the new list
    expect(await withStatus()).toMatch(/^credential_status_unavailable K03 /);
    list = await signed({ sequence: 9, entities: revokedBy() });
    wait(hour);
    await judge(belowOther);
    expect(await withStatus()).toMatch(/^credential_status_unavailable K03 .*Configured: none\./);
  });

  test('L12 the CA of the PID issuer signs no status list, where a list of entities says who does', async () => {
    const { issuer: signer, header } = signedWith(good);
    expect(await judgeUnderStatus(await signed(), { signer, header })).toMatch(
      /^credential_status_unavailable K03 /,
    );
  });

  test('L13 a service that begins while the list stays the same', async () => {
    const StatusStartingTime = new Date(now.getTime() + hour).toISOString();
    const services = [{}, { certificates: [other], more: { StatusStartingTime } }];
    const { judge, wait } = await running(trusting(), { entities: [{ services }] });
    expect(await judge(belowOther)).toMatch(stranger);
    wait(hour);
    expect(await judge(belowOther)).toBe('valid');
    expect(await judge()).toBe('valid');
  });

  test('L20 a presentation under way is judged again', async () => {
    const made = await running(trusting({}, {}, { status: { origins: ['https://status.example'] } }));
    const { judge, publish, wait } = made;
    wait(30_000);
    // While the status of a good presentation is fetched, another presentation causes the renewal.
    let isFirst = true;
    const renewal = await signed(renewedList);
    const status = { status_list: { idx: 0, uri: 'https://status.example/1' } };
    publish(async () => {
      if (!isFirst) return new Response(renewal);
      isFirst = false;
      publish(renewal);
      expect(await judge(belowOther)).toBe('valid');
      return new Response('', { status: 503 });
    });
    expect(await judge(good, { status })).toMatch(stranger);
  });
});

describe('L21 one fetch for all, and none for a while after it', () => {
  test('L21 50 presentations at once are one request', async () => {
    const { judge, publish, requests } = startProcess();
    publish(await signed());
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => judge()));
    expect(new Set(verdicts)).toEqual(new Set(['valid']));
    expect(requests).toHaveLength(1);
  });

  test('L21 presentations below unknown anchors cause one request in half a minute', async () => {
    const { judge, requests, wait } = await running();
    wait(30_000);
    for (let count = 0; count < 10; count += 1) {
      expect(await judge(belowOther)).toMatch(stranger);
      wait(1000);
    }
    expect(requests).toHaveLength(2);
  });

  test('L21 so it is while the list is away, and good presentations do not wait', async () => {
    const { judge, publish, requests, wait } = await running();
    publish(away);
    wait(hour);
    for (let count = 0; count < 10; count += 1) expect(await judge()).toBe('valid');
    expect(requests).toHaveLength(2);
    expect(await judge(belowOther)).toMatch(stranger);
    expect(requests).toHaveLength(2);
  });

  test('L21 nothing is fetched for a token that fails a check of its own', async () => {
    const { judge, publish, requests } = startProcess();
    publish(await signed());
    expect(await judge(good, { exp: 1 })).toMatch(/^C12 /);
    expect(requests).toHaveLength(0);
  });

  test('L21 nor anew for a chain that no newer list could make good', async () => {
    const { judge, requests, wait } = await running();
    wait(30_000);
    expect(await judge([root])).toMatch(/^K05 /);
    expect(await judge([signerBelow(root, { keyUsage: 'absent' })])).toMatch(/^K07 /);
    expect(await judge([signerBelow(root, { purposes: ['1.3.6.1.5.5.7.3.1'] })])).toMatch(/^K18 /);
    expect(requests).toEqual([url]);
    expect(await judge(belowOther)).toMatch(stranger);
    expect(requests).toEqual([url, url]);
  });
});

describe('F75 a server that hangs', () => {
  holdTimers();

  deep.test(
    'F75 1,000 good presentations do not wait for a server that hangs, while a list counts',
    async () => {
      const { judge, publish, requests, wait } = await running();
      const hanging: ((response: Response) => void)[] = [];
      publish(
        async () =>
          await new Promise<Response>((resolve) => {
            hanging.push(resolve);
          }),
      );
      wait(hour);
      // Neither the reply nor the deadline comes: whoever waited for one would not come back.
      for (let count = 0; count < 10; count += 1) {
        const verdicts = await Promise.all(Array.from({ length: 100 }, () => judge()));
        expect(new Set(verdicts)).toEqual(new Set(['valid']));
      }
      expect(requests).toHaveLength(2);
      // The list that comes at last is the one that counts.
      const newer = await signed(renewedList);
      publish(newer);
      for (const resolve of hanging) resolve(new Response(newer));
      expect(await judge(belowOther)).toBe('valid');
      expect(await judge()).toMatch(stranger);
    },
  );
});

describe('L22 a clock that is set back', () => {
  test('L22 a list that was fetched under the clock ahead does not count', async () => {
    const { judge, publish, wait, requests } = startProcess();
    wait(2 * day);
    publish(await signed({ issued: day }), { 'cache-control': 'max-age=86400' });
    expect(await judge()).toBe('valid');
    wait(-2 * day);
    expect(await judge()).toBe('L10 it was issued in the future.');
    expect(requests).toHaveLength(2);
    publish(await signed({ sequence: 8 }));
    wait(30_000);
    expect(await judge()).toMatch(/^L08 /);
  });

  test('L22 one that is good under the new clock too is fetched anew and counts', async () => {
    const { judge, publish, wait, requests } = startProcess();
    wait(2 * day);
    publish(await signed(), { 'cache-control': 'max-age=86400' });
    expect(await judge()).toBe('valid');
    wait(-2 * day);
    expect(await judge()).toBe('valid');
    expect(requests).toEqual([url, url]);
  });
});

test('F166 a list that is read again parses no certificate that the one before it had', () => {
  const rules = parseLoteRules({ url, signers: [pemOf(signer)], territories: ['DE'] }, 'trustedList');
  const read = anchorReader(rules, parseLeafRules({}, 'leaf'));
  const anchorsOf = (...certificates: Authority[]) => {
    const { TrustedEntitiesList: entities } = listOf({ entities: entitiesOf(...certificates) }).LoTE;
    return read(entities ?? [], now.getTime()).credential;
  };
  const first = anchorsOf(root, other);
  const second = anchorsOf(other);
  expect([first.length, second.length, second[0] === first[1]]).toEqual([2, 1, true]);
  // What only an older list had is read anew.
  const third = anchorsOf(root, other);
  expect([third[0] === first[0], third[1] === first[1], third[0]?.name === first[0]?.name]).toEqual([
    false,
    true,
    true,
  ]);
});
