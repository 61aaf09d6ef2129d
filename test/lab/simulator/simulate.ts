import { lockMs } from '../../../lib/flow/lock.js';
import { listenToTraces, origin, startMachine, type AppMachine } from './app.js';
import { follow } from './browser.js';
import { flowEngine } from './engines.js';
import { judgeEnd, judgeOwnReturn, judgeSecrets } from './judges.js';
import { act } from './people.js';
import type { Action, Plan } from './plan.js';
import { simulatedService } from './service.js';
import { readSession, secrets, sessionEngine } from './sessions.js';
import { type Browser, newBrowsers, type Return, sessionIdOf, type Town } from './town.js';
import { outside, pendingOf, playUntil, resetWorld, schedule, virtualNow } from './virtual.js';
import { newWorld, note, say, type World } from './world.js';

export interface Simulated {
  readonly trace: readonly string[];
  readonly broken: readonly string[];
}

/** Plays one plan to its end, then lets everything work, and looks whether everybody gets on. */
export async function simulate(plan: Plan): Promise<Simulated> {
  resetWorld(plan.seed);
  const world = newWorld(plan);
  const stopListening = listenToTraces(world);
  const parts = {
    flows: flowEngine(world),
    sessions: sessionEngine(world),
    service: simulatedService(world),
  };
  const { flows, sessions, service } = parts;
  const start = (name: string, skew: number, secrets: Secrets, version = 1) =>
    startMachine(world, { name, skew, secrets, version }, parts);
  const [ofOne, ofTwo] = secretsOf[plan.secrets];
  const machines = [start('one', 0, ofOne), start('two', plan.skew * 1_000, ofTwo)];
  const browsers = newBrowsers();
  const town: Town = { world, machines: () => machines, flows, sessions, links: service.links, browsers };

  const dead: AppMachine[] = [];
  const restart = (at: number, version?: number, secrets?: Secrets): void => {
    const old = machines[at];
    if (old === undefined) return;
    say(world, version === undefined ? `machine ${old.name} is killed` : `machine ${old.name} is replaced`);
    world.mayRepeat = true;
    world.killed.add(old.name);
    old.isAlive = false;
    for (const line of old.lines) line.lose();
    dead.push(old);
    const name = `${old.name.split('-')[0]}-${dead.length}`;
    machines[at] = outside(() => start(name, old.skew, secrets ?? old.secrets, version ?? old.version));
  };
  world.kill = (machine) => restart(machines.indexOf(machine as AppMachine));

  const stop = (at: number): void => {
    const machine = machines[at];
    if (machine === undefined) return;
    say(world, `machine ${machine.name} stands still`);
    machine.stoppedUntil = virtualNow() + stoppedMs;
    world.mayRepeat = true;
    world.excuse ??= 'stopped';
    outside(() => schedule(stoppedMs, () => say(world, `machine ${machine.name} goes on`)));
  };

  const jump = (at: number, seconds: number): void => {
    const machine = machines[at];
    if (machine === undefined) return;
    machine.skew = Math.max(-maxSkew, Math.min(maxSkew, machine.skew + seconds * 1_000));
    say(world, `the clock of ${machine.name} is off by ${machine.skew / 1_000} s`);
    const apart = Math.abs((machines[0]?.skew ?? 0) - (machines[1]?.skew ?? 0));
    world.skew = Math.max(world.skew, Math.abs(machine.skew), apart);
  };

  const run = (action: Action, number: number): void => {
    const { does, machine, which } = action;
    if (does === 'kill') restart(machine);
    else if (does === 'stop') stop(machine);
    // In a rotation, what is deployed is one step further.
    else if (does === 'deploy')
      restart(machine, which % 2 === 0 ? 2 : 1, plan.secrets === 'rotating' ? ofTwo : undefined);
    else if (does === 'clock jump') jump(machine, [300, -300, 60, -30][which % 4] ?? 0);
    else if (does === 'clock') say(world, 'time passes');
    else void act(town, action, number);
  };
  let at = 0;
  for (const [number, action] of plan.actions.entries()) {
    at += action.after;
    outside(() => schedule(at, () => run(action, number)));
    if (action.does === 'clock') at += [60_000, 300_000, 700_000, 2_000_000][action.which % 4] ?? 0;
  }
  // Hooks that hang, leases (by whichever clock), retries: all of it is over by then.
  await playUntil(virtualNow() + at + 180_000);
  await playUntil(virtualNow() + world.skew);
  judgeEnd(town);
  // Somebody has seen the line in the log.
  if (plan.secrets === 'forgotten') for (const number of machines.keys()) restart(number, undefined, ofOne);
  await endWell(town);
  judgeSecrets(world);
  // A store on a table waits to delete what has expired.
  const sweeps = ['postgres', 'mysql'].includes(plan.store) ? 1 : 0;
  for (const machine of machines) {
    const pending = pendingOf(machine);
    if (pending > sweeps) note(world, 'I10', `${machine.name} still waits for ${pending} things`);
  }
  await playUntil(virtualNow() + 900_000);
  if (flows.alive() > 0) note(world, 'I10', `the flow store still holds ${flows.alive()} records`);
  for (const machine of machines) machine.isAlive = false;
  stopListening();
  const simulated = { trace: [...world.trace], broken: [...world.broken] };
  // Node holds the parser of a line that was never closed, and with it this world.
  for (const { lines } of [...machines, ...dead]) for (const line of lines) line.destroy();
  await playUntil(virtualNow());
  return simulated;
}

const maxSkew = 300_000;

/** Longer than a lock lives. */
const stoppedMs = lockMs(10_000) + 4_000;

type Secrets = AppMachine['secrets'];

/** What the two processes have for it. */
const secretsOf: Readonly<Record<Plan['secrets'], readonly [Secrets, Secrets]>> = {
  one: [[secrets.old], [secrets.old]],
  rotating: [
    [secrets.old, secrets.new],
    [secrets.new, secrets.old],
  ],
  forgotten: [[secrets.old], [secrets.another]],
};

/** I6: nothing is in the way any more: an open return ends, and the person's next try ends behind the guard. */
async function endWell(town: Town): Promise<void> {
  const { world, browsers, sessions } = town;
  world.isCalm = true;
  say(world, 'from here on everything works');
  for (const browser of browsers) {
    const last = browser.returns.at(-1);
    if (last !== undefined) await ends(world, browser, 'return', () => comeBack(town, browser, last));
  }
  const at = world.plan.actions[0]?.browser ?? 0;
  const browser = browsers[at];
  if (browser === undefined) return;
  const usual = {
    machine: 0,
    which: 0,
    cut: undefined,
    hold: undefined,
    delivery: 'once',
    after: 0,
  } as const;
  const steps: readonly Action['does'][] = ['start', 'approve', 'return'];
  for (const does of steps) {
    const action: Action = { ...usual, does, browser: at, about: 'club', isScript: false };
    await ends(world, browser, does, async () => await act(town, action, 900 + at));
  }
  const { kept } = readSession(sessions.textOf(sessionIdOf(browser) ?? ''));
  if (!kept.some(({ person }) => person === browser.owner)) {
    note(world, 'I6', `${browser.name} is not verified, and nothing stands against it`);
  }
  const openPage = async (): Promise<void> => {
    const { reply } = await follow(town, browser, { path: '/club', machine: 0, origin });
    if (reply?.status !== 200) note(world, 'I6', `${browser.name} has verified, and is not let in`);
  };
  // Not for long: timers that the return has left would run out.
  await ends(world, browser, 'page', openPage, 500);
}

/** The last address that it was given leads somewhere: into the app, or to a page with a way on. */
async function comeBack(town: Town, browser: Browser, { address, link }: Return): Promise<void> {
  const path = address.slice(origin.length);
  const { reply, isEndless } = await follow(town, browser, { path, machine: 1, isCrossSite: true, origin });
  if (browser.links.some(({ number }) => number === link)) judgeOwnReturn(town, browser, link, reply);
  // What nobody opens any more says "try again" until it has run out.
  const isSealedForNobody = town.links[link]?.isForgotten === true || town.world.isTampered;
  if (isEndless || ((reply?.status ?? 500) >= 500 && !isSealedForNobody)) {
    note(
      town.world,
      'I6',
      `${browser.name} comes back, and is told ${isEndless ? 'to go on' : reply?.status}`,
    );
  }
}

async function ends(
  world: World,
  { name }: Browser,
  what: string,
  work: () => Promise<void>,
  ms = 5_500,
): Promise<void> {
  let isOver = false;
  outside(() => void work().then(() => (isOver = true)));
  await playUntil(virtualNow() + ms);
  if (!isOver) note(world, 'I6', `${name} waits for the end of "${what}"`);
}
