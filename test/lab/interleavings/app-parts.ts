import { IdentityError } from '../../../lib/errors.js';
import type { FlowHooks, FlowResult } from '../../../lib/flow/context.js';
import type { Verifier } from '../../../lib/types/trust.js';
import type { Actor } from './life.js';
import {
  errorTold,
  hookBegins,
  hookEnds,
  released,
  saved,
  sessionOpened,
  sessionUndone,
} from './life-hooks.js';
import type { TestSession } from '../../flow/flow-kit.js';
import type { HookPlan } from './scenario.js';
import { hookTimeout, type Stage } from './stage.js';

const person = { given_name: 'Erika', birth_date: '1964-08-12' };

/** Judges by the name of the presentation, when its turn comes. */
export function verifierOf({ steps, life }: Stage, by: Actor): Verifier {
  return async (presentation) => {
    by.judgedFrom = life.now;
    await steps.step(`${by.name} judged`);
    if (presentation.startsWith('away')) {
      by.verdict ??= 'none';
      throw new IdentityError('keys_unavailable');
    }
    const good = presentation.startsWith('good');
    by.verdict ??= good ? 'valid' : 'refused';
    return good
      ? { valid: true, attributes: person, derived: {} }
      : { valid: false, reason: 'Not a good one.', check: 'B07' };
  };
}

/** Each run of a hook ends as the scenario has planned it. */
export function hooksOf(stage: Stage, by: Actor): FlowHooks {
  const { scenario, life, steps } = stage;
  const run = async (name: 'onVerified' | 'onSuccess' | 'onError', over: (plan: HookPlan) => void) => {
    const plan = (stage.calm ? undefined : scenario[name]?.[stage.counts[name]++]) ?? 'ok';
    if (plan === 'late') {
      stage.stuck.set(by, stage.time.now() + hookTimeout);
      return await new Promise<never>(() => undefined);
    }
    await steps.step(`${by.name} ${name} ${plan}`);
    over(plan);
    if (plan === 'throws') throw new Error(`${name} throws`);
    if (plan === 'redirects') return { redirectTo: name === 'onError' ? '/by-error' : `/${name}` };
    return plan === 'refuses' ? { refuse: 'not_today' } : undefined;
  };
  const moving = (name: 'onVerified' | 'onSuccess') => async (args: { result: FlowResult }) => {
    const begun = hookBegins(life, by, name);
    check(stage, args.result);
    return await run(name, (plan) => {
      hookEnds(begun, plan === 'throws' || plan === 'refuses' ? plan : 'ok');
    });
  };
  return {
    ...(scenario.onVerified && { onVerified: moving('onVerified') }),
    ...(scenario.onSuccess && { onSuccess: moving('onSuccess') }),
    ...(scenario.onError && {
      async onError() {
        errorTold(life, by);
        return await run('onError', () => undefined);
      },
    }),
  };
}

/** What a return does to the owner's session. */
export function sessionOf(stage: Stage, by: Actor): TestSession {
  const { scenario, life, steps, counts } = stage;
  return {
    async isStored() {
      await steps.step(`${by.name} session looked for`);
      if (stage.session.destination !== undefined) by.unsaved = 'session_left';
      return stage.session.destination === undefined;
    },
    regenerate() {
      sessionOpened(life, by);
    },
    keep(result) {
      check(stage, result);
    },
    async save() {
      const plan = (stage.calm ? undefined : scenario.saves[counts.saves++]) ?? 'saved';
      await steps.step(`${by.name} session ${plan}`);
      if (plan === 'saved') {
        saved(life, by);
        return plan;
      }
      by.unsaved = plan;
      if (plan === 'fails') throw new Error('The session store is away.');
      return plan;
    },
    async rollback() {
      await steps.step(`${by.name} session undone`);
      if (by.session !== 'old') sessionUndone(life, by);
    },
  };
}

/** The answer goes out; true where the browser gets it, and with it the new session. */
export async function answerSent(stage: Stage, by: Actor, location: string): Promise<boolean> {
  const { scenario, life, steps, counts } = stage;
  const isLost = !stage.calm && scenario.lostAnswers[counts.answers++] === true;
  await steps.step(`${by.name} answer ${isLost ? 'lost' : 'received'}`);
  if (isLost) {
    by.unsaved = 'return_abandoned';
    by.session = 'old';
    return false;
  }
  released(life, by);
  stage.session.destination = location;
  return true;
}

/** Every run sees the same person, and the same receipt. */
function check({ life, receipts }: Stage, { attributes, receipt }: FlowResult): void {
  receipts.add(receipt.id);
  if (attributes.given_name !== person.given_name) life.broken.push('a result of somebody else');
  if (receipts.size > 1) life.broken.push('another receipt');
}
