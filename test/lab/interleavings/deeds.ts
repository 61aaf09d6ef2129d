import { IdentityError } from '../../../lib/errors.js';
import { flowOf } from '../../../lib/flow/flow.js';
import { readReturnCode, namesOf, newSecret } from '../../../lib/flow/secrets.js';
import { StartFailed, startFlow } from '../../../lib/flow/start.js';
import { parseCallback } from '../../../lib/service/prove/callback.js';
import { driveReturn, origin } from '../../flow/flow-kit.js';
import { withComplete } from '../../flow/returning.js';
import { depsOf } from './deps.js';
import { answerSent, sessionOf } from './app-parts.js';
import { type Actor, begins } from './life.js';
import { type Answer, answered } from './life-answers.js';
import { wrote } from './life-moves.js';
import { observe } from './observe.js';
import { pass } from './passing.js';
import type { Deed } from './scenario.js';
import type { Stage } from './stage.js';

/** The start: from its end on, or (`early`) from when the service was asked, callbacks may come. */
export async function start(stage: Stage): Promise<void> {
  const { steps, life, scenario, session, stateKnown } = stage;
  const by = begins(life, 'start', { kind: 'start' }, 0);
  const deps = depsOf(stage, by);
  const begin = async () => {
    if (scenario.early) stateKnown.say();
    await steps.step('start asks the service');
    if (!scenario.serviceTakes) throw new IdentityError('service_timeout');
    return { redirectUrl: 'https://wallet.example/' };
  };
  const plan = {
    name: 'default',
    issuer: 'xx-test',
    reveal: ['given_name', 'birth_date'] as const,
    derived: {},
  };
  try {
    const asking = { ...deps, service: { ...deps.service, start: begin } };
    await startFlow(asking, { plan, origin, sameDevice: false }, async ({ state }) => {
      session.state = state;
      const stored = await stage.store.read(namesOf(state, '/identity').id);
      if (stored !== undefined) wrote(life, by, { sent: life.now, ...observe(stored.value, state) });
      await steps.step('start session saved');
    });
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error;
  }
  answered(life, by, { kind: 'address', to: 'https://wallet.example/' });
  stateKnown.say();
}

/** The browser that is told to come again does so with the session that it has by then; as often as web/ lets it. */
const maxReloads = 2;

/** Any other deed, when its turn comes; a return waits until there is a code. */
export async function act(stage: Stage, deed: Deed, at: number): Promise<void> {
  const { life, steps, session, stateKnown, codeKnown } = stage;
  await (deed.kind === 'return' ? codeKnown : stateKnown).said;
  if (deed.kind === 'clock') {
    if (deed.after > 0) await new Promise<void>((go) => stage.later.push({ after: deed.after, go }));
    await steps.step(`clock ${deed.by}`);
    const toDeadline = Math.max(0, life.deadline - life.now);
    const before = deed.by === 'just before the deadline' ? Math.max(0, toDeadline - 1) : toDeadline;
    pass(stage, typeof deed.by === 'number' ? deed.by : before);
    return;
  }
  const who = deed.kind === 'callback' ? deed.body : `${deed.owner ? 'owner' : 'stranger'} ${deed.fits}`;
  const name = `${deed.kind} ${at} ${who}`;
  await steps.step(`${name} begins`);
  const state = session.state ?? newSecret();
  if (deed.kind === 'callback') {
    const by = begins(life, name, deed, deed.process);
    if (deed.body.startsWith('error')) by.verdict = 'refused';
    answered(life, by, await deliver(stage, by, state, deed.body));
    if (stage.code !== undefined) codeKnown.say();
  } else {
    const fits = deed.fits && stage.code !== undefined;
    for (let reload = 0; ; reload += 1) {
      const by = begins(
        life,
        reload === 0 ? name : `${name} reload ${reload}`,
        { ...deed, fits },
        deed.process,
      );
      const said = await comeBack(stage, by, state, deed.owner, fits);
      answered(life, by, said);
      if (said.kind !== 'reload' || reload === maxReloads) return;
      await steps.step(`${name} reloads`);
    }
  }
}

async function deliver(stage: Stage, by: Actor, state: string, body: string): Promise<Answer> {
  const form = body.startsWith('error')
    ? { error: 'cancelled', error_description: body }
    : { presentation: body };
  const callback = parseCallback({ ...form, state });
  return await judged(async () => {
    const delivery = await flowOf(depsOf(stage, by)).callback(callback);
    if (!('redirectUri' in delivery)) return { kind: 'error', code: delivery.error.code };
    const code = readReturnCode(new URL(delivery.redirectUri).searchParams.get('code'));
    if (code !== undefined) stage.code ??= code;
    return { kind: 'address', to: delivery.redirectUri };
  });
}

async function comeBack(
  stage: Stage,
  by: Actor,
  state: string,
  owner: boolean,
  fits: boolean,
): Promise<Answer> {
  const { id } = namesOf(state, '/identity');
  const secret = (fits ? stage.code?.secret : undefined) ?? newSecret();
  const { destination } = stage.session;
  const input = { id, state, secret, subject: undefined, sessionId: 'the session' };
  return await judged(async () => {
    const flow = flowOf(depsOf(stage, by));
    const ended = withComplete(
      await (!owner
        ? flow.revokeCode({ id, secret })
        : destination === undefined
          ? driveReturn(flow, input, sessionOf(stage, by))
          : flow.repeatReturn(id, destination)),
    );
    if (ended.complete !== undefined) {
      const received = await answerSent(stage, by, ended.location ?? '');
      await ended.complete(received);
      if (!received) return { kind: 'error', code: 'session_save_failed' };
    }
    if (ended.answer === 'reload') return { kind: 'reload' };
    if (ended.location !== undefined) return { kind: 'address', to: ended.location };
    return { kind: 'error', code: ended.error?.code ?? 'nothing' };
  });
}

async function judged(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IdentityError) return { kind: 'error', code: error.code };
    throw error;
  }
}
