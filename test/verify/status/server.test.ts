import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { issuerKeys, now, signJws } from '../../support/verify/issuer.js';
import { refusingPort } from '../../support/refusing-port.js';
import { json } from '../keys/jwks-server.js';
import {
  answering,
  goodHeader,
  goodPayload,
  listToken,
  reasonOf,
  serving,
  statusServer,
  verifierOf,
} from './status-server.js';

const published = statusServer();
const why = async () => {
  const verdict = await verifierOf(published).verdict();
  const [, reason] = reasonOf(verdict).split('cannot be used: ');
  return verdict.valid ? 'valid' : `${verdict.code ?? ''} ${verdict.check ?? ''}: ${reason ?? ''}`;
};

afterEach(() => {
  jest.useRealTimers();
});

/** No deadline passes but where the test lets it, however busy the machine is. */
const stopTime = () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
};

describe('T05 the request and its reply', () => {
  test('T05 a GET that accepts a list token', async () => {
    expect(await why()).toBe('valid');
    expect(published.requests[0]).toMatchObject({ method: 'GET', url: '/statuslists/1' });
    expect(published.requests[0]?.headers['accept']).toBe('application/statuslist+jwt');
  });

  test.each([300, 301, 302, 303, 307, 308, 399])('T05 the redirect %d is not followed', async (status) => {
    published.answer = (res, req) => {
      if (req.url === '/elsewhere') answering(listToken(published.uri))(res, req);
      else res.writeHead(status, { location: '/elsewhere' }).end();
    };
    expect(await why()).toBe(
      'credential_status_unavailable T05: its server redirects, which is not followed.',
    );
    expect(published.requests).toHaveLength(1);
  });

  test.each([400, 404, 500, 503])('T05 the status %d', async (status) => {
    published.answer = (res) => {
      res.writeHead(status, { 'content-type': 'application/statuslist+jwt' }).end(listToken(published.uri));
    };
    expect(await why()).toBe(
      `credential_status_unavailable T05: its server answered with the status ${status}.`,
    );
  });

  test.each([203, 299])('T05 any 2xx: %d', async (status) => {
    published.answer = (res) => {
      res.writeHead(status, { 'content-type': 'application/statuslist+jwt' }).end(listToken(published.uri));
    };
    expect(await why()).toBe('valid');
  });

  test.each([['application/jwt'], ['application/statuslist+cwt'], ['text/html'], ['statuslist+jwt'], ['']])(
    'T05 the type %p',
    async (type) => {
      published.answer = answering(listToken(published.uri), { 'content-type': type });
      expect(await why()).toBe(
        'credential_status_unavailable T05: the reply is not application/statuslist+jwt.',
      );
    },
  );

  test('T05 no type, and a type with parameters', async () => {
    published.answer = (res) => {
      res.end(listToken(published.uri));
    };
    expect(await why()).toMatch(/^credential_status_unavailable T05/);
    published.answer = serving({}, { 'content-type': 'Application/StatusList+JWT; charset=utf-8' });
    expect(await why()).toBe('valid');
  });

  test('T05 the largest reply, and one that is too large', async () => {
    stopTime();
    const padded = (spaces: number) =>
      signJws(goodHeader(), JSON.stringify(goodPayload(published.uri)) + ' '.repeat(spaces), issuerKeys);
    const room = 4 * 1024 * 1024 - padded(0).length;
    const fits = Math.floor(room / 4) * 3;
    published.answer = answering(padded(fits));
    expect(await why()).toBe('valid');
    published.answer = answering(padded(fits + 3));
    expect(await why()).toBe('credential_status_unavailable T05: the reply is too large.');
  });

  test('T05 a reply that is no text', async () => {
    published.answer = (res) => {
      res.writeHead(200, { 'content-type': 'application/statuslist+jwt' }).end(Buffer.from([0xff, 0xfe]));
    };
    expect(await why()).toBe('credential_status_unavailable T05: the reply is not UTF-8.');
  });
});

describe('T18 a list that cannot be had is no verdict on the presentation', () => {
  test('T18 a fault of this process is not put down to the list', async () => {
    let isBroken = false;
    published.answer = (res, req) => {
      isBroken = true;
      serving()(res, req);
    };
    const clock = () => (isBroken ? new Date(Number.NaN) : now);
    await expect(verifierOf(published, {}, { clock }).verdict()).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'clock must return a valid Date.',
    });
  });

  const unreachable = 'credential_status_unavailable T18: its server could not be reached.';

  test('T18 nobody listens', async () => {
    const origin = `http://127.0.0.1:${await refusingPort()}`;
    const { from } = verifierOf(published, { status: { origins: [origin] } });
    expect(await from(`${origin}/1`)).toBe('credential_status_unavailable T18');
  });

  test('T18 the connection breaks, before and in the middle of the reply', async () => {
    published.answer = (res) => {
      res.destroy();
    };
    expect(await why()).toBe(unreachable);
    published.answer = (res) => {
      res.writeHead(200, { 'content-type': 'application/statuslist+jwt', 'content-length': '1000' });
      res.write('eyJ', () => res.destroy());
    };
    expect(await why()).toBe(unreachable);
  });

  const late = 'credential_status_unavailable T18: its server did not answer in time.';

  test('T18 a server that never answers is given four seconds, and then left', async () => {
    stopTime();
    let left: Promise<unknown> | undefined;
    published.answer = (res) => {
      left = new Promise((resolve) => res.once('close', resolve));
      jest.advanceTimersByTime(4000);
    };
    expect(await why()).toBe(late);
    await left;
  });

  test('T18 a server that answers after a little less', async () => {
    stopTime();
    published.answer = (res, req) => {
      jest.advanceTimersByTime(3999);
      serving()(res, req);
    };
    expect(await why()).toBe('valid');
  });

  test('T18 a server that never ends its reply', async () => {
    stopTime();
    published.answer = (res) => {
      res.writeHead(200, { 'content-type': 'application/statuslist+jwt' });
      res.write('eyJ', () => jest.advanceTimersByTime(4000));
    };
    expect(await why()).toBe(late);
  });

  /** A list that is signed with a newer key than the one of the credential. */
  const newer = serving({ header: { kid: 'two' } });

  test('T18 the budget is for the keys of the list too', async () => {
    stopTime();
    let keysAsked = 0;
    published.answer = (res, req) => {
      if (req.url !== '/jwks.json') newer(res, req);
      else if ((keysAsked += 1) === 1) json({ keys: [{ ...issuerKeys.jwk, kid: 'one' }] })(res, req);
      else jest.advanceTimersByTime(4000);
    };
    const { judge } = verifierOf(published, { keys: { jwksUri: `${published.origin}/jwks.json` } });
    expect(await judge()).toBe('credential_status_unavailable T18');
    expect(keysAsked).toBe(2);
  });

  test('T18 keys of the list that cannot be fetched', async () => {
    let keysAsked = 0;
    published.answer = (res, req) => {
      if (req.url !== '/jwks.json') newer(res, req);
      else if ((keysAsked += 1) === 1) json({ keys: [{ ...issuerKeys.jwk, kid: 'one' }] })(res, req);
      else res.writeHead(503).end();
    };
    const { judge } = verifierOf(published, { keys: { jwksUri: `${published.origin}/jwks.json` } });
    expect(await judge()).toBe('credential_status_unavailable K14');
  });

  test('T18 the next presentation tries again', async () => {
    const { judge } = verifierOf(published);
    published.answer = (res) => {
      res.writeHead(503).end();
    };
    expect(await judge()).toBe('credential_status_unavailable T05');
    published.answer = serving();
    expect(await judge()).toBe('valid');
  });

  test('T18 a stale list is not used where it cannot be renewed', async () => {
    const { judge, wait } = verifierOf(published);
    published.answer = serving({ payload: { ttl: 60 } });
    expect(await judge()).toBe('valid');
    published.answer = (res) => {
      res.writeHead(503).end();
    };
    wait(59);
    expect(await judge()).toBe('valid');
    wait(1);
    expect(await judge()).toBe('credential_status_unavailable T05');
  });
});

test('a clock that stops in the middle is no fault of the list', async () => {
  let calls = 0;
  const clock = () => {
    calls += 1;
    return calls === 1 ? now : new Date(Number.NaN);
  };
  const { verdict } = verifierOf(published, {}, { clock });
  await expect(verdict()).rejects.toMatchObject({ code: 'config_invalid' });
});
