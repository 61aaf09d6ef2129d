import { createHash } from 'node:crypto';
import { MemoryStore, type SessionData } from 'express-session';
import { openSandbox, type Running, startApp } from '../support/app.js';
import type { Confirm } from '../support/callbacks.js';
import { storeAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** One value of a store, and the id under which it lies there. */
export interface Written {
  readonly id: string;
  readonly value: string;
}

/** A text and what it is when each of its parts is read as base64url, down to a depth. */
export function readings(text: string, depth = 3): string[] {
  if (depth === 0) return [text];
  const parts = text.split(/[^\w-]+/).filter((part) => part.length > 3);
  return [
    text,
    ...parts.flatMap((part) => readings(Buffer.from(part, 'base64url').toString('latin1'), depth - 1)),
  ];
}

/** Every text that can be taken out of these: whole, in parts, in pieces of a secret's length, decoded, digested. */
export function textsIn(written: readonly Written[]): Set<string> {
  const texts = new Set<string>(['']);
  for (const { id, value } of written) {
    const pieces = value.match(/[\w-]{43}/g) ?? [];
    for (const text of [id, value, `${id}.${value}`, ...value.split('.'), ...pieces]) {
      texts.add(text);
      texts.add(sha256(text));
      texts.add(Buffer.from(text, 'base64url').toString('latin1'));
    }
  }
  return texts;
}

/** All that ever went to a flow store, refused writes as well. */
function flowWrites() {
  const all: Written[] = [];
  const store = storeAround(async (call, work, args) => {
    if (call === 'create' || call === 'replace')
      all.push({ id: String(args[0]), value: String(args.at(-2)) });
    return await work();
  });
  return { all, store };
}

/** All that ever went to a session store. */
class SessionWrites extends MemoryStore {
  readonly written: Written[] = [];

  override set(id: string, session: SessionData, done?: (error?: unknown) => void): void {
    this.written.push({ id, value: JSON.stringify(session) });
    super.set(id, session as never, done);
  }

  override touch(id: string, session: SessionData, done?: () => void): void {
    this.written.push({ id, value: JSON.stringify(session) });
    super.touch(id, session as never, done);
  }
}

export interface Stage {
  readonly app: Running;
  readonly flows: ReturnType<typeof flowWrites>;
  readonly sessions: SessionWrites;
  /** The callbacks as the wallet's service sent them. */
  readonly sent: { readonly state: string; readonly presentation: string }[];
  /** The states of all that was started. */
  readonly states: string[];
}

export async function stage(confirm: Confirm): Promise<Stage> {
  const [flows, sessions] = [flowWrites(), new SessionWrites()];
  const sent: { state: string; presentation: string }[] = [];
  const states: string[] = [];
  const sandbox = await openSandbox({
    fetch: async (url, init) => {
      const { state, presentation } = Object.fromEntries(new URLSearchParams(init?.body as string));
      if (state !== undefined && presentation !== undefined) sent.push({ state, presentation });
      return await fetch(url, init);
    },
  });
  const app = await startApp({
    sandbox,
    session: { store: sessions },
    options: {
      confirm,
      store: flows.store,
      ...(confirm === 'return' && { onVerified: () => undefined }),
      onSuccess: () => undefined,
      onError: () => undefined,
      ...(confirm === 'return' && { keep: () => 'nothing of it' }),
      fetch: async (url: string, init: { body?: string }) => {
        // The keys of the issuer are fetched too, without a body.
        if (init.body !== undefined) states.push((JSON.parse(init.body) as { state: string }).state);
        return await fetch(url, init);
      },
    },
  });
  sandbox.redirectUrl = `${app.url}/identity/callback`;
  return { app, flows, sessions, sent, states };
}

/** Whole flows, good and bad bodies before and after the verdict; answers the presentations that came by. */
export async function run({ app, sent, states }: Stage): Promise<string[]> {
  const browser = app.browser();
  await decide(await app.start(browser), 'decline');
  // Finished by its owner, with somebody else's presentation and broken ones on the way.
  await app.browser().visit(await app.toReturn(app.browser())); // revoked, where there is a code
  const strange = sent.at(-1)?.presentation ?? '';
  const bad = [strange, `${strange}A`, strange.slice(0, -9), 'a presentation that is none'];
  const wallet = await app.start(browser);
  const state = states.at(-1) ?? '';
  for (const presentation of bad) await app.callback({ state, presentation });
  await app.callback({ state, error: strange, error_description: strange });
  const address = await decide(wallet, 'approve');
  const own = sent.at(-1)?.presentation ?? '';
  for (const presentation of [...bad, `${own}A`, own]) await app.callback({ state, presentation });
  await browser.visit(address);
  await browser.visit(address);
  await app.callback({ state, presentation: own });
  return [strange, own];
}

/** What both stores were given until a flow was between callback and return. */
export async function waiting(confirm: Confirm) {
  const given = await stage(confirm);
  const browser = given.app.browser();
  const back = await given.app.toReturn(browser);
  return { ...given, browser, back, held: [...given.flows.all, ...given.sessions.written] };
}
