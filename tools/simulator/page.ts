import { read } from '../contents.js';
import { sequenceDiagram } from './sequence.js';

/** As test/lab/simulator/found.ts notes them. */
interface FoundFault {
  readonly invariant: string;
  readonly name: string;
  readonly schedule: number;
  readonly steps: number;
  readonly trace: readonly string[];
}

const shown = ['F43', 'F47', 'F53'];

const found = (): FoundFault[] => JSON.parse(read('test/lab/simulator/found.json')) as FoundFault[];

const faultOf = (number: string): FoundFault => {
  const fault = found().find(({ name }) => name.includes(number));
  if (fault === undefined) throw new Error(`test/lab/simulator/found.json has no ${number}.`);
  return fault;
};

/** The pictures of three planted faults, by path. */
export const simulatorPictures: Readonly<Record<string, () => string>> = Object.fromEntries(
  shown.map((number) => [
    `docs/diagrams/simulator-${number}.svg`,
    () => {
      const { invariant, name, trace } = faultOf(number);
      return sequenceDiagram(`${invariant}: ${name}`, trace);
    },
  ]),
);

/** docs/simulator.md. */
export function simulatorPage(): string {
  const pictures = shown.map((number) => {
    const { invariant, name } = faultOf(number);
    return `![${invariant}: ${name}](diagrams/simulator-${number}.svg)`;
  });
  return `# The simulator

The simulator looks for faults that need bad luck: a process that dies at the wrong moment, a reply that gets lost, an attacker who acts between two steps. This page says what it plays, how you run it, and how we know that it finds faults.

\`test/lab/simulator\` runs pidgate in one process and in virtual time. A seed decides everything that happens, so the same seed finds the same fault again.

**These parts are real:** pidgate (router, guard, flow, and the code of the Redis, Postgres and MySQL stores), Express, express-session, passport 0.7 and Node's HTTP server.

**These parts are simulated:**

- two processes of an app, which are killed at any moment, including right before and after each call of a store; their clocks are up to ten minutes apart, and jump
- stores whose calls are slow, lost, doubled, late, or answered from an old copy
- a service whose callbacks are doubled, late, lost, altered or out of order
- two people, Alice and Mallory, with two browsers each; they log in and out, go back, reload, hang up, copy cookies and pass on addresses
- every setting of express-session, SameSite cookies, and hooks

One run of all this is a schedule. At the end of each schedule everything works again, and the person tries once more. Ten [invariants](../SECURITY.md#what-always-holds) must hold. If a schedule breaks one of them, the simulator makes that schedule as short as it can be.

All that others see of a process is its calls and its responses. So it makes no difference where between two calls a process is killed. The simulator judges I5 at each write of pidgate: what pidgate writes must contain all that the session store held when pidgate read it directly before.

\`\`\`sh
npm run simulator -- 10000 7
\`\`\`

This command plays 10,000 schedules, from seed 7 on. \`npm test\` plays 500, \`npm run test:deep\` plays 10,000, and \`.ci/nightly\` plays a million. \`test/lab/interleavings\` plays every order that two requests of one flow can have, without HTTP, and with both values of \`confirm\`.

## Planted faults

A check that cannot fail shows nothing. So we put ${found().length} faults into pidgate, one at a time, and the simulator finds each of them. pidgate once had some of these faults. \`test/lab/simulator/PLANTED.md\` lists them all. These are three of them:

${pictures.join('\n\n')}

Where to go on: [SECURITY.md](../SECURITY.md) has the invariants and what is not defended, and [stores and scaling](scaling.md#what-a-fault-leaves) says what a fault of a real engine leaves.
`;
}

/** test/lab/simulator/PLANTED.md, with what the last run of the planted faults came to. */
export function plantedFaults(): string {
  const rows = found().map(
    ({ invariant, name, schedule, steps }) => `| ${invariant} | ${name} | ${schedule} | ${steps} |`,
  );
  return `# Planted faults

Each is put into pidgate, and found; the numbers are those of the [faults](../../faults/INDEX.md) that it once had. \`tsx test/lab/simulator/found.ts\` plays them, \`npm run docs\` writes this page. [The simulator](../../../docs/simulator.md) says what it plays.

| breaks | fault | found in schedule | steps left |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
