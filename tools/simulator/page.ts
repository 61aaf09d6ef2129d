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

\`test/lab/simulator\` plays pidgate against what can happen around it, in one process and in virtual time. A seed decides all of it, and finds a fault again.

**Real:** pidgate (router, guard, flow, the code of the Redis, Postgres and MySQL stores), Express, express-session, passport 0.7, Node's HTTP server.

**Simulated:** two processes of an app, with clocks up to ten minutes apart and jumping, killed at any moment, and before and after each call of a store; stores whose calls are slow, lost, doubled, late or answered from an old copy; a service whose callbacks are doubled, late, lost, altered or out of order; Alice and Mallory with two browsers each, who log in and out, go back, reload, hang up, copy cookies and pass on addresses; every setting of express-session, SameSite cookies, and hooks.

After each schedule everything works again, and the person tries once more. Ten [invariants](../SECURITY.md#what-always-holds) must hold; what breaks one is made as short as it can be.

Other processes see a process only by its calls and its responses, so a kill between two of them is the same wherever it comes. I5 is judged at each write of pidgate: it must have all that the store held at the look directly before, which is what the schedule has without pidgate.

\`\`\`sh
npm run simulator -- 10000 7
\`\`\`

plays 10,000 schedules from seed 7 on. \`npm test\` plays 500, \`npm run test:deep\` 10,000, \`.ci/nightly\` a million. \`test/lab/interleavings\` plays every order there is of two requests of one flow, without HTTP, with \`confirm: 'callback'\` too.

## Planted faults

A check that cannot fail shows nothing: of ${found().length} faults put into pidgate, some of which it once had, the simulator finds each (\`test/lab/simulator/PLANTED.md\`). Three of them:

${pictures.join('\n\n')}
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
