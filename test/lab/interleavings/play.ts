import { act, start } from './deeds.js';
import type { Phase } from './life.js';
import { ends } from './life-end.js';
import { pass, passIdly } from './passing.js';
import type { Deed, Scenario } from './scenario.js';
import { openStage, type Stage } from './stage.js';
import { type Choose, chooser } from './steps.js';
import type { VirtualTime } from './virtual-time.js';

export interface Played {
  /** The order in which things happened. */
  readonly trace: readonly string[];
  /** What the table does not allow. */
  readonly broken: readonly string[];
  readonly phase: Phase;
}

const longestLease = 15_000;
const mostSteps = 2_000;
/** Times that the clock goes on because nothing else is left to do. */
const mostIdle = 2_000;

/** Plays one run: the start, the deeds in the order that the choices make, and then one more try without a fault. */
export async function play(
  scenario: Scenario,
  time: VirtualTime,
  choose: Choose = chooser(scenario),
): Promise<Played> {
  const stage = openStage(scenario, time, choose);
  const { life, steps } = stage;
  await run(stage, [start(stage), ...scenario.deeds.map(async (deed, at) => await act(stage, deed, at))]);
  const waits = life.phase === 'pending' || life.phase === 'verified';
  if (waits && time.now() + longestLease < life.deadline) await completes(stage);
  ends(life);
  return { trace: steps.trace, broken: life.broken, phase: life.phase };
}

/** No lease stands and nothing goes wrong any more: the flow must come to its good end. */
async function completes(stage: Stage): Promise<void> {
  const { life, scenario } = stage;
  stage.calm = true;
  pass(stage, longestLease);
  const last: Deed[] = [{ kind: 'callback', body: life.accepted ?? 'good', process: 0 }];
  if (scenario.form === 'return') last.push({ kind: 'return', owner: true, fits: true, process: 1 });
  for (const deed of last) await run(stage, [act(stage, deed, 900)]);
  const stays = `nothing is in the way any more, and it stays ${life.phase}`;
  // Where the last write was lost, the session has the result all the same.
  if (life.phase !== 'confirmed' && life.releases.length === 0) life.broken.push(stays);
}

/** Until all is done: what is ready happens, and time passes only where nothing is. */
async function run(stage: Stage, work: readonly Promise<void>[]): Promise<void> {
  const { steps, time, later, stateKnown, codeKnown } = stage;
  // Whoever still waits for a state or a code when nothing else is left gets one that nobody made.
  const unknown = [stateKnown, codeKnown];
  let left = work.length;
  let idle = 0;
  const over = (): void => {
    left -= 1;
  };
  for (const one of work) void one.then(over, over);
  for (;;) {
    await time.settled();
    if (steps.trace.length > mostSteps || idle > mostIdle) throw new Error('It goes on for ever.');
    const due = later.findIndex(({ after }) => after <= steps.trace.length || steps.ready() === 0);
    if (due >= 0) later.splice(due, 1)[0]?.go();
    else if (steps.ready() > 0) steps.next();
    else if (left === 0) break;
    else if (passIdly(stage)) idle += 1;
    else if (unknown.length > 0) unknown.shift()?.say();
    else throw new Error('A request hangs.');
  }
  await Promise.all(work);
}
