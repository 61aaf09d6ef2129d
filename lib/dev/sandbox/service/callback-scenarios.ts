import { randomBytes } from 'node:crypto';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { errorCallback } from './error-callback.js';
import { type ReplyOutcome, failed } from './reply.js';

/** Sends one callback and returns what came of it. */
type Send = (body: string, how?: { readonly slow: boolean }) => Promise<ReplyOutcome>;

type Play = (send: Send, body: string, state: string) => Promise<ReplyOutcome>;

const plays: ReadonlyMap<ScenarioId, Play> = new Map<ScenarioId, Play>([
  ['both_fields', async (send, body) => await send(`${body}&error=user_declined`)],
  ['empty_body', async (send) => await send('')],
  ['malformed_state', async (send, body) => await send(withState(body, 'not-a-state'))],
  [
    'foreign_state',
    async (send, body, state) =>
      await send(withState(body, state.replace(/^[^.]*/, randomBytes(32).toString('base64url')))),
  ],
  ['callback_lost', async () => await Promise.resolve(failed({ kind: 'lost' }))],
  ['slow_callback', async (send, body) => await send(body, { slow: true })],
  ['callback_twice', async (send, body) => compare([await send(body), await send(body)])],
  ['callback_twice_at_once', async (send, body) => compare(await Promise.all([send(body), send(body)]))],
  [
    'callback_late',
    async (send, body, state) =>
      await late(await send(body), errorCallback('declined', state).toString(), send),
  ],
  ['return_code_tampered', async (send, body) => tamper(await send(body))],
]);

/** Sends the callback of a flow in the way that its scenario wants. */
export async function playCallback(
  scenario: ScenarioId,
  body: string,
  state: string,
  send: Send,
): Promise<ReplyOutcome> {
  const play = plays.get(scenario);
  return play === undefined ? await send(body) : await play(send, body, state);
}

function withState(body: string, state: string): string {
  const parameters = new URLSearchParams(body);
  parameters.set('state', state);
  return parameters.toString();
}

function compare(outcomes: readonly ReplyOutcome[]): ReplyOutcome {
  const [first, second] = outcomes;
  if (first?.ok !== true || second?.ok !== true) {
    return outcomes.find(({ ok }) => !ok) ?? failed({ kind: 'replies_differ' });
  }
  return first.redirectUri === second.redirectUri ? first : failed({ kind: 'replies_differ' });
}

/** A sender of other content for an answered flow must not learn where its browser goes. */
async function late(first: ReplyOutcome, other: string, send: Send): Promise<ReplyOutcome> {
  const second = await send(other);
  const leaks = first.ok && second.ok && second.redirectUri === first.redirectUri;
  return leaks ? failed({ kind: 'late_learned' }) : first;
}

/** Changes the last parameter, where a code is; an address without one gets one. */
function tamper(outcome: ReplyOutcome): ReplyOutcome {
  if (!outcome.ok || outcome.redirectUri === undefined) return outcome;
  const url = new URL(outcome.redirectUri);
  const code = [...url.searchParams].at(-1);
  if (code === undefined) return outcome;
  const [name, value] = code;
  url.searchParams.set(name, `${value.slice(0, -8)}AAAAAAAA`);
  return { ok: true, redirectUri: url.href };
}
