import { describe, expect, it } from '@jest/globals';
import { apiKey, openScene, type Scene } from './scene.js';

// What an operator sees and asks: the log, whether it can work, and what it has counted.

const isVerified = { kept: 'ERIKA' };

/** The log, without the times. */
const linesOf = ({ lines }: Scene) =>
  lines.map((line) => {
    const { time, ...others } = JSON.parse(line) as Record<string, unknown>;
    expect(new Date(String(time)).toISOString()).toBe(time);
    return others;
  });

const ask = async ({ bridgeUrl }: Scene, path: string) => {
  const reply = await fetch(bridgeUrl + path);
  return { status: reply.status, json: (await reply.json()) as unknown };
};

const metricsOf = async ({ bridgeUrl }: Scene) => {
  const text = await (await fetch(`${bridgeUrl}/metrics`)).text();
  return new Map(
    [...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  );
};

const prove = async ({ bridgeUrl }: Scene, headers: Record<string, string>, body = '{}') =>
  await fetch(`${bridgeUrl}/prove`, { method: 'POST', headers, body });

describe('F143 the log', () => {
  it('of a success is four lines at most, and names nobody', async () => {
    const it = await openScene('eudiplo');
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
    const job = expect.stringMatching(/^[\w-]{8}$/);
    expect(linesOf(it)).toEqual([
      {
        level: 'info',
        job,
        app: 'Shop',
        revealed: ['given_name', 'birth_date'],
        sameDevice: false,
        msg: 'started',
      },
      { level: 'info', job, msg: 'the verifier has posted the proof' },
      { level: 'info', job, answer: 'proof', msg: 'answered' },
      { level: 'info', job, msg: 'the app has taken the callback' },
    ]);
    const secrets = [flow.page.split('/').at(-1) ?? '', 'ERIKA', 'MUSTERMANN', flow.opened.request.nonce];
    for (const secret of secrets) expect(it.lines.join('\n')).not.toContain(secret);
  });

  it('of an outage of ten minutes has when it began, one line a minute with a count, and its end', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    const before = it.lines.length;
    it.stub.stub.mood = 'down';
    for (let minute = 0; minute < 9; minute += 1) {
      for (let poll = 0; poll < 4; poll += 1) await flow.browser.get(flow.page);
      it.clock.forward(59_999); // a line more than a minute after the last one: every second time
    }
    it.stub.stub.mood = 'well';
    await flow.browser.get(flow.page);
    const lines = linesOf(it).slice(before);
    const fails = lines.filter(({ msg }) => msg === 'the verifier fails');
    expect(fails.map(({ failures }) => failures)).toEqual([1, 8, 8, 8, 8]);
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'the verifier answers again', seconds: 540 });
    // The next outage begins anew.
    it.stub.stub.mood = 'down';
    await it.app.browser().post(`${it.app.url}/identity/start`, undefined, { accept: 'application/json' });
    expect(linesOf(it).at(-2)).toMatchObject({ msg: 'the verifier fails', failures: 1 });
    expect(linesOf(it).at(-1)).toMatchObject({ msg: 'refused', code: 'error_internal' });
  });

  it('of fifty guessed keys is fifty lines, with the address and without the keys', async () => {
    const it = await openScene('eu');
    for (let guess = 0; guess < 50; guess += 1) {
      await prove(it, { authorization: `Bearer guess-${guess}`, 'x-forwarded-for': '203.0.113.7' });
    }
    const lines = linesOf(it);
    expect(lines).toHaveLength(50);
    expect(lines[49]).toEqual({
      level: 'warn',
      code: 'error_api_key',
      why: 'The API key is missing or not valid.',
      from: '127.0.0.1',
      forwardedFor: '203.0.113.7',
      msg: 'refused',
    });
    await prove(it, {
      authorization: 'Bearer guess',
      'x-forwarded-for': `${'198.51.100.1, '.repeat(90)}203.0.113.7`,
    });
    expect(linesOf(it)[50]?.['forwardedFor']).toMatch(/ 203\.0\.113\.7$/);
    expect(it.lines.join()).not.toContain('guess');
  });

  it('of an app that is away has one line for a job, however often its page asks', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    it.callbacks.mood = 503;
    for (let poll = 0; poll < 5; poll += 1) await flow.browser.get(flow.page);
    it.callbacks.mood = 'well';
    expect(await flow.end()).toEqual(isVerified);
    const said = linesOf(it).filter(({ level }) => level === 'warn');
    expect(said).toMatchObject([{ app: 'Shop', why: 'it answered 503' }]);
    expect(it.callbacks.count).toBe(6);
  });

  it('of an app that refuses has one line with its answer, however often its page asks', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    it.callbacks.mood = 404;
    for (let poll = 0; poll < 3; poll += 1) expect((await flow.browser.get(flow.page)).status).toBe(502);
    const said = linesOf(it).filter(({ level }) => level === 'warn');
    expect(said).toMatchObject([
      { app: 'Shop', why: 'it answered 404', msg: 'the app has refused the callback' },
    ]);
  });

  it('has no word of a wallet, nor of a body', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    await fetch(flow.opened.request.response_uri, {
      method: 'POST',
      body: new URLSearchParams({ error: 'Erika Mustermann', state: flow.opened.request.state }),
    });
    await flow.end();
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    await prove(it, headers, '{"issuer":"Erika Mustermann","state":"Mustermann"}');
    expect(it.lines.join()).not.toContain('Mustermann');
    expect(linesOf(it).at(-1)).toMatchObject({ code: 'error_missing_parameter' });
  });
});

describe('F150', () => {
  it('/healthz says that it runs, /readyz whether it can work: only the store makes it unready', async () => {
    const it = await openScene('eu');
    const all = { store: 'answers', verifier: 'answers' };
    expect(await ask(it, '/healthz')).toEqual({ status: 200, json: { bridge: 'runs' } });
    expect(await ask(it, '/readyz')).toEqual({ status: 200, json: all });
    it.stub.stub.mood = 'down';
    it.clock.forward(10_001);
    const since = `fails since ${it.clock().toISOString()}`;
    expect(await ask(it, '/readyz')).toEqual({ status: 200, json: { ...all, verifier: since } });
    it.storeMood.isAway = true;
    expect(await ask(it, '/readyz')).toMatchObject({ status: 503, json: { store: 'fails: no store' } });
    expect(await ask(it, '/healthz')).toMatchObject({ status: 200 });
    [it.stub.stub.mood, it.storeMood.isAway] = ['well', false];
    it.clock.forward(10_001);
    expect(await ask(it, '/readyz')).toEqual({ status: 200, json: all });
  });

  it.each(['eu', 'eudiplo'] as const)(
    'a page that waits on the same device hides no outage of %s',
    async (verifier) => {
      const it = await openScene(verifier, { sameDevice: true });
      const flow = await it.begin();
      it.stub.stub.mood = 'down';
      it.clock.forward(10_001);
      const fails = { json: { verifier: `fails since ${it.clock().toISOString()}` } };
      expect(await ask(it, '/readyz')).toMatchObject(fails);
      await flow.browser.get(flow.page);
      expect(await ask(it, '/readyz')).toMatchObject(fails);
    },
  );

  it.each(['eu', 'eudiplo'] as const)(
    '%s is asked at most every ten seconds, at once once',
    async (verifier) => {
      const it = await openScene(verifier);
      await Promise.all(Array.from({ length: 5 }, async () => await ask(it, '/readyz')));
      expect(it.stub.stub.calls.filter((call) => call === 'life sign')).toHaveLength(1);
      it.clock.forward(10_000);
      expect(await ask(it, '/readyz')).toMatchObject({ json: { verifier: 'answers' } });
      expect(it.stub.stub.calls.filter((call) => call === 'life sign')).toHaveLength(1);
      it.clock.forward(1);
      await ask(it, '/readyz');
      expect(it.stub.stub.calls.filter((call) => call === 'life sign')).toHaveLength(2);
    },
  );

  it('/metrics counts starts, answers and callbacks, and no word of a wallet', async () => {
    const it = await openScene('eu');
    const [one, two] = [await it.begin(), await it.begin()];
    await one.opened.send(await one.opened.respond());
    it.callbacks.mood = 503;
    await one.end();
    it.callbacks.mood = 'well';
    expect(await one.end()).toEqual(isVerified);
    await fetch(two.opened.request.response_uri, {
      method: 'POST',
      body: new URLSearchParams({ error: 'a_word_of_a_wallet', state: two.opened.request.state }),
    });
    await two.end();
    await prove(it, { authorization: 'Bearer guess' });
    it.stub.stub.mood = 'down';
    await it.app.browser().post(`${it.app.url}/identity/start`, undefined, { accept: 'application/json' });
    const metrics = await metricsOf(it);
    for (const [name, value] of [
      ['bridge_starts_total{result="started"}', 2],
      ['bridge_starts_total{result="error_api_key"}', 1],
      ['bridge_starts_total{result="error_internal"}', 1],
      ['bridge_answers_total{answer="proof"}', 1],
      ['bridge_answers_total{answer="other"}', 1],
      ['bridge_callbacks_total{result="again"}', 1],
      ['bridge_callbacks_total{result="taken"}', 2],
      ['bridge_verifier_seconds_count{call="start",result="answered"}', 2],
      ['bridge_verifier_seconds_count{call="start",result="failed"}', 1],
      ['bridge_store_up', 1],
      ['bridge_verifier_up', 0],
    ] as const) {
      expect([name, metrics.get(name)]).toEqual([name, value]);
    }
    expect([...metrics.keys()].join()).not.toContain('a_word_of_a_wallet');
  });
});

it('F149 a key that is being changed: the new one asks for the nonce of a job of the old one', async () => {
  const it = await openScene('eu', { accounts: [[apiKey, 'the-new-key']] });
  const flow = await it.begin(); // by the first key
  const url = `${it.bridgeUrl}/nonce/${flow.opened.request.nonce}`; // the digest of the state is the nonce
  const reply = await fetch(url, { headers: { authorization: 'Bearer the-new-key' } });
  expect([reply.status, await reply.json()]).toEqual([200, { nonce: flow.opened.request.nonce }]);
});
