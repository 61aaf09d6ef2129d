import { describe, expect, jest, test, afterEach } from '@jest/globals';
import { issuerKeys, now, signJws } from '../../support/verify/issuer.js';
import { type Answer, goodHeader, goodPayload, issuerServer } from '../../support/verify/servers.js';
import { listToken, servingKeys, servingList, servingStatus } from '../../support/verify/servers.js';
import { servingText, statusVerifier } from '../../support/verify/servers.js';
import { judgeEach, judgeValues, refuseEach } from '../../support/verify/verdicts.js';
import { refusingPort } from '../../support/refusing-port.js';

const published = issuerServer();
const unavailable = (check: string) => `credential_status_unavailable ${check}`;
const unusable = (check: string, why: string) =>
  `${unavailable(check)} The credential's status list cannot be used: ${why}`;
const explain = async (answer: Answer = published.answer) => {
  published.answer = answer;
  return await statusVerifier(published).explain();
};
/** A good list in a reply with this type or status. */
const good =
  (headers: Record<string, string> = {}, code = 200): Answer =>
  (res, req) =>
    servingText(listToken(published.uri), headers, code)(res, req);
const type = { 'content-type': 'application/statuslist+jwt' };

afterEach(() => {
  jest.useRealTimers();
});

/** No deadline passes but where the test lets it, however busy the machine is. */
const stopTime = () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
};

describe('T05 the request and its reply', () => {
  test('T05 a GET that accepts a list token', async () => {
    expect(await explain()).toBe('valid');
    expect(published.requests[0]).toMatchObject({ method: 'GET', url: '/statuslists/1' });
    expect(published.requests[0]?.headers['accept']).toBe('application/statuslist+jwt');
  });

  const redirects = [300, 301, 302, 303, 307, 308, 399];
  judgeValues(
    'T05 the redirect %d is not followed',
    redirects,
    unusable('T05', 'its server redirects, which is not followed. 1 request'),
    async (code) => {
      const said = await explain((res, req) => {
        if (req.url === '/elsewhere') good()(res, req);
        else res.writeHead(code, { location: '/elsewhere' }).end();
      });
      return `${said} ${published.requests.length} request`;
    },
  );
  test.each([400, 404, 500, 503])('T05 the status %d', async (code) => {
    expect(await explain(good({}, code))).toBe(
      unusable('T05', `its server answered with the status ${code}.`),
    );
  });
  judgeValues('T05 any 2xx: %d', [203, 299], 'valid', (code) => explain(good({}, code)));

  const types = ['application/jwt', 'application/statuslist+cwt', 'text/html', 'statuslist+jwt', ''];
  const wrongType = unusable('T05', 'the reply is not application/statuslist+jwt.');
  judgeValues('T05 the type %p', types, wrongType, (name) => explain(good({ 'content-type': name })));
  judgeEach(explain, {
    'T05 no type': [wrongType, (res) => res.end(listToken(published.uri))],
    'T05 with parameters': ['valid', good({ 'content-type': 'Application/StatusList+JWT; charset=utf-8' })],
    'T05 no text': [
      / T05 .*: the reply is not UTF-8\.$/,
      (res) => res.writeHead(200, type).end(Buffer.of(255)),
    ],
  });

  test('T05 the largest reply, and one that is too large', async () => {
    stopTime();
    const padded = (spaces: number) =>
      signJws(goodHeader(), JSON.stringify(goodPayload(published.uri)) + ' '.repeat(spaces), issuerKeys);
    const fits = Math.floor((4 * 1024 * 1024 - padded(0).length) / 4) * 3;
    expect(await explain(servingText(padded(fits)))).toBe('valid');
    expect(await explain(servingText(padded(fits + 3)))).toBe(unusable('T05', 'the reply is too large.'));
  });
});

describe('T18 a list that cannot be had is no verdict on the presentation', () => {
  const stopped = () => new Date(Number.NaN);
  refuseEach(
    'T18 %s is not put down to the list',
    [
      [
        'a fault of this process while the list is fetched',
        () => published.requests.length > 0,
        'clock must return a valid Date.',
      ],
      ['a clock that stops in the middle', counting(), 'clock must return a valid Date.'],
    ],
    (isBroken) => statusVerifier(published, {}, { clock: () => (isBroken() ? stopped() : now) }).verdict(),
  );

  test('T18 nobody listens', async () => {
    const origin = `http://127.0.0.1:${await refusingPort()}`;
    expect(await statusVerifier(published, { status: { origins: [origin] } }).from(`${origin}/1`)).toBe(
      unavailable('T18'),
    );
  });

  const unreachable = unusable('T18', 'its server could not be reached.');
  judgeEach(explain, {
    'T18 the connection breaks before the reply': [unreachable, (res) => res.destroy()],
    'T18 the connection breaks in the middle of the reply': [
      unreachable,
      (res) => res.writeHead(200, { ...type, 'content-length': '1000' }).write('eyJ', () => res.destroy()),
    ],
  });

  const late = unusable('T18', 'its server did not answer in time.');
  const pass = (ms: number) => jest.advanceTimersByTime(ms);
  judgeEach(
    (answer: Answer) => {
      stopTime();
      return explain(answer);
    },
    {
      'T18 a reply that never ends': [late, (res) => res.writeHead(200, type).write('eyJ', () => pass(4000))],
      'T18 one that answers in time': ['valid', (res, req) => void (pass(3999), servingList()(res, req))],
    },
  );

  test('T18 a server that never answers is given four seconds, and then left', async () => {
    stopTime();
    let left: Promise<unknown> | undefined;
    const verdict = await explain((res) => {
      left = new Promise((resolve) => res.once('close', resolve));
      pass(4000);
    });
    expect(verdict).toBe(late);
    await left;
  });

  /** The verdict where a list is signed with a newer key than the credential, and that key is asked for like this. */
  const withNewerKey = async (second: Answer) => {
    stopTime();
    let keysAsked = 0;
    published.answer = (res, req) => {
      if (req.url !== '/jwks.json') servingList({ header: { kid: 'two' } })(res, req);
      else if ((keysAsked += 1) === 1) servingKeys({ one: issuerKeys })(res, req);
      else second(res, req);
    };
    const verdict = await statusVerifier(published, { keys: { jwksUri: published.jwksUri } }).judge();
    expect(keysAsked).toBe(2);
    return verdict;
  };
  judgeEach(withNewerKey, {
    'T18 the budget is for the keys of the list too': [unavailable('T18'), () => pass(4000)],
    'T18 keys of the list that cannot be fetched': [unavailable('K14'), servingStatus(503)],
  });

  test('T18 a stale list is not used where it cannot be renewed', async () => {
    const { judge, wait } = statusVerifier(published);
    published.answer = servingList({ payload: { ttl: 60 } });
    expect(await judge()).toBe('valid');
    published.answer = servingStatus(503);
    wait(59);
    expect(await judge()).toBe('valid');
    wait(1);
    expect(await judge()).toBe(unavailable('T05'));
  });
});

/** False at first, and then true. */
function counting(): () => boolean {
  let calls = 0;
  return () => (calls += 1) > 1;
}
