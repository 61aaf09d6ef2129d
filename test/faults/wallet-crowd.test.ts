import { describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Way } from '../../lib/types/ways.js';
import type { Browser } from '../support/browser.js';
import { turns } from '../support/callbacks.js';
import type { Opened } from '../support/foreign-wallet.js';
import { nightly } from '../support/seed.js';
import { bind, type KeyPair, newKeyPair } from '../support/verify/issuer.js';
import { closed, startWalletApp, type WalletApp, walletWorld } from '../support/wallets.js';

// Many people, and many wallets, at one process and at the same moment.

jest.setTimeout(600_000); // some 8,000 requests, on a machine that may be busy

const shared = walletWorld();
const keys = Array.from({ length: 4 }, () => newKeyPair());
const ways = ['link', 'code'] as const;
const wayOf = (nth: number): Way => ways[nth % 2] ?? 'link';

/** An app that notes for whom each hook ran. */
async function openApp(limits: object = {}) {
  const ran = { onVerified: [] as string[], onSuccess: [] as string[] };
  const note =
    (hook: keyof typeof ran) =>
    async ({ result }: { result: { attributes: { given_name: string } } }): Promise<void> => {
      ran[hook].push(result.attributes.given_name);
      await turns(2); // others come meanwhile
    };
  const app = await startWalletApp(
    {
      sandbox: shared.sandbox(),
      options: {
        reveal: ['given_name'],
        limits,
        keep: ({ attributes }: { attributes: { given_name: string } }) => attributes.given_name,
        onVerified: note('onVerified'),
        onSuccess: note('onSuccess'),
      },
      after: (it, identity) => {
        it.get('/me', identity.require(), (req, res) => void res.json(identity.of(req)?.kept));
      },
    },
    { access: shared.access() },
  );
  return { app, ran };
}

/** Issues a PID for a made-up person to one of a few keys, and shows the given name of it alone. */
async function newPid(given_name: string, nth: number): Promise<{ shown: string; wallet: KeyPair }> {
  const wallet = keys[nth % keys.length] as KeyPair;
  const [pid = ''] = await shared
    .sandbox()
    .issuePids({ holders: [wallet.jwk as never], person: { given_name } });
  const [credential, ...disclosures] = pid.split('~');
  const isAsked = (text: string): boolean =>
    text !== '' && (JSON.parse(Buffer.from(text, 'base64url').toString()) as string[])[1] === 'given_name';
  return { shown: [credential, ...disclosures.filter(isAsked), ''].join('~'), wallet };
}

/** What the wallet of this person answers to the request of a flow. */
async function answerOf(app: WalletApp, state: string, way: Way, name: string, nth: number): Promise<string> {
  const reply = await fetch(`${app.url}/identity/request?state=${state}.${way}`);
  expect(reply.status).toBe(200);
  const request = decodeJwt<Opened['request']>(await reply.text());
  const { shown, wallet } = await newPid(name, nth);
  const payload = {
    nonce: request.nonce,
    aud: request['client_id'],
    iat: Math.floor(Date.now() / 1000),
  };
  const presentation = shown + bind(shown, { wallet, payload });
  return await closed(request, { vp_token: { pid: [presentation] }, state: request.state });
}

interface Told {
  readonly status: number;
  readonly to: string | undefined;
}

async function post(app: WalletApp, response: string): Promise<Told> {
  const reply = await app.callback({ response });
  const { redirect_uri: to } = (await reply.json()) as { redirect_uri?: string };
  return { status: reply.status, to };
}

/** Does it for all at once, and again for those that are told to come later, until there are none. Answers how often. */
async function untilDone<T>(
  all: readonly T[],
  work: (one: T) => Promise<number>,
  done: number,
): Promise<number> {
  let left = all;
  for (let rounds = 0; ; rounds += 1) {
    if (left.length === 0) return rounds;
    const statuses = await Promise.all(left.map(work));
    const others = statuses.filter((status) => status !== done && status !== 503);
    expect(others).toEqual([]);
    left = left.filter((_, index) => statuses[index] === 503);
  }
}

/** A person who has started, and what became of it. */
interface Visitor {
  readonly nth: number;
  readonly name: string;
  readonly way: Way;
  readonly browser: Browser;
  page: string;
  answer: string;
  told: Told | undefined;
}

const visitorsOf = (app: WalletApp, count: number): Visitor[] =>
  Array.from({ length: count }, (_, nth) => ({
    nth,
    name: `PERSON ${nth}`,
    way: wayOf(nth),
    browser: app.browser(),
    page: '',
    answer: '',
    told: undefined,
  }));

async function start(app: WalletApp, visitor: Visitor): Promise<number> {
  const { status, location = '' } = await visitor.browser.post(`${app.url}/identity/start?returnTo=/me`);
  visitor.page = location;
  return status;
}

const stateOf = ({ page }: Visitor): string => new URL(page).searchParams.get('state') ?? '';

/** What the page hears, and where it leads by itself. */
async function seen({ browser, page }: Visitor) {
  const polled = await browser.get(page, { accept: 'application/json' });
  const { location } = await browser.get(page);
  return { status: (polled.json() as { status: string }).status, location };
}

describe('many at once', () => {
  const oneByOne = { concurrentVerifications: 1, verifyTimeout: 200 };
  test.each([
    ['as many as there are places and more', nightly ? 1_000 : 250, {}, 1],
    ['with one place to verify, which is waited for briefly,', nightly ? 300 : 100, oneByOne, 2],
  ])(
    'F173 many start and answer, %s: who is told "done" is verified, as themselves, and each hook ran once',
    async (_, count, limits, least) => {
      const { app, ran } = await openApp(limits);
      const visitors = visitorsOf(app, count);
      await untilDone(visitors, async (visitor) => await start(app, visitor), 303);
      expect(new Set(visitors.map(stateOf)).size).toBe(visitors.length);
      for (const visitor of visitors) {
        visitor.answer = await answerOf(app, stateOf(visitor), visitor.way, visitor.name, visitor.nth);
      }

      const early: string[] = [];
      const send = async (visitor: Visitor): Promise<number> => {
        const told = await post(app, visitor.answer);
        // At this moment already: what a wallet shows its person now is true.
        if (told.status === 200) visitor.told = told;
        if (told.status === 200 && !ran.onVerified.includes(visitor.name)) early.push(visitor.name);
        return told.status;
      };
      const rounds = await untilDone(visitors, send, 200);
      expect(rounds).toBeGreaterThanOrEqual(least); // of the second some must come again

      expect(early).toEqual([]);

      const faults: unknown[] = [];
      for (const visitor of visitors) {
        const { status, location } = await seen(visitor);
        const address = visitor.way === 'link' ? visitor.told?.to : location;
        const shown = await visitor.browser.visit(address ?? '');
        const isRight =
          status === (visitor.way === 'link' ? 'verified' : 'over') &&
          (visitor.told?.to === undefined) === (visitor.way === 'code') &&
          shown.url === `${app.url}/me` &&
          shown.text === JSON.stringify(visitor.name);
        if (!isRight)
          faults.push({ visitor: visitor.name, status, location, shown: shown.text.slice(0, 99) });
      }
      expect(faults).toEqual([]);
      const names = visitors.map(({ name }) => name).toSorted();
      expect(ran.onVerified.toSorted()).toEqual(names);
      expect(ran.onSuccess.toSorted()).toEqual(names);
    },
  );

  test('F176 two wallets answer one flow at the same moment, 50 flows: one counts, and who agreed gets in', async () => {
    const { app, ran } = await openApp();
    const visitors = visitorsOf(app, 50);
    for (const visitor of visitors) expect(await start(app, visitor)).toBe(303);
    // Both by one way, or each by another, as the flows go on.
    const pairs = await Promise.all(
      visitors.map(async (visitor) => {
        const { nth, name } = visitor;
        const people = [0, 1].map((which) => ({
          name: `${name} ${'AB'.charAt(which)}`,
          way: ways[nth % 3 === 2 ? which : nth % 3] ?? 'link',
        }));
        const answers = people.map(
          async (one) => await answerOf(app, stateOf(visitor), one.way, one.name, nth),
        );
        return { visitor, people, answers: await Promise.all(answers) };
      }),
    );
    const told = new Map<string, Told>();
    const sent = pairs.flatMap(({ people, answers }, index) => {
      const both = answers.map((answer, which) => ({ answer, name: people[which]?.name ?? '' }));
      return index % 2 === 0 ? both : both.toReversed();
    });
    const send = async ({ answer, name }: { answer: string; name: string }): Promise<number> => {
      const reply = await post(app, answer);
      told.set(name, reply);
      return reply.status;
    };
    await untilDone(sent, send, 200);

    expect(ran.onVerified).toHaveLength(visitors.length);
    for (const { visitor, people } of pairs) {
      const [winner, ...others] = people.filter(({ name }) => ran.onVerified.includes(name));
      const loser = people.find((one) => one !== winner);
      const { status, location } = await seen(visitor);
      const address = winner?.way === 'link' ? told.get(winner.name)?.to : location;
      const shown = await visitor.browser.visit(address ?? '');
      expect({
        others,
        status,
        loser: told.get(loser?.name ?? ''),
        at: shown.url,
        who: shown.text,
      }).toEqual({
        others: [],
        status: winner?.way === 'link' ? 'verified' : 'over',
        loser: { status: 200, to: undefined },
        at: `${app.url}/me`,
        who: JSON.stringify(winner?.name),
      });
    }
    expect(ran.onSuccess.toSorted()).toEqual(ran.onVerified.toSorted());
  });
});
