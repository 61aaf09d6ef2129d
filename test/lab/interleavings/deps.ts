import type { FlowDeps } from '../../../lib/flow/context.js';
import { namesOf } from '../../../lib/flow/secrets.js';
import { openProcess } from '../../flow/flow-kit.js';
import { hooksOf, verifierOf } from './app-parts.js';
import type { Actor } from './life.js';
import { wrote } from './life-moves.js';
import { gone, observe } from './observe.js';
import { flowTtl, hookTimeout, type Stage } from './stage.js';
import { steppedStore } from './stepped-store.js';

/** The flow of the process that this request came to; whatever it calls waits for its turn under the request's name. */
export function depsOf(stage: Stage, by: Actor): FlowDeps {
  const { scenario, time, life, counts } = stage;
  const clock = Object.assign(() => new Date(time.now()), { forward: time.forward });
  const store = steppedStore(stage.store, {
    step: async (label) => await stage.steps.step(`${by.name} ${label}`),
    fault() {
      counts.store += 1;
      return stage.calm ? undefined : scenario.faults.find(({ call }) => call === counts.store)?.fault;
    },
    begun() {
      const call = { by, since: time.now(), over: () => void stage.underWay.delete(call) };
      stage.underWay.add(call);
      return call;
    },
    failed: () => void (by.storeFailed = true),
    twoSteps: scenario.twoSteps,
    lateness: scenario.storeIsLate,
    wrote(id, value, { since }) {
      const { state } = stage.session;
      if (state === undefined || id !== namesOf(state, '/identity').id) return; // the session's claim is judged by the hooks
      wrote(life, by, { sent: since, ...(value === undefined ? gone : observe(value, state)) });
    },
  });
  return openProcess(
    { clock, store },
    {
      ...stage.processes[by.process],
      confirm: scenario.form,
      hookTimeout,
      verifyTimeout: hookTimeout,
      flowTtl,
      verifier: verifierOf(stage, by),
      hooks: hooksOf(stage, by),
    },
  ).deps;
}
