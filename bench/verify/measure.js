import { median } from '../numbers.js';

async function round(run, tokens, count, atOnce) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let done = 0; done < count; done += atOnce) {
    if (atOnce === 1) await run(tokens[done % tokens.length]);
    else {
      await Promise.all(
        Array.from({ length: atOnce }, (_, index) => run(tokens[(done + index) % tokens.length])),
      );
    }
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / count, perSecond: count / seconds };
}

/**
 * Medians for each contender, and its rounds. The rounds take turns, in as many orders as three contenders have, so that whatever else
 * the machine does hits all alike.
 */
export async function measure(runs, { tokens, count, rounds, atOnce = 1 }) {
  const names = Object.keys(runs);
  const found = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await round(runs[name], tokens, 3 * count, atOnce);
  for (let turn = 0; turn < rounds; turn += 1) {
    const order = turn % 2 === 0 ? names : names.toReversed();
    for (let index = 0; index < names.length; index += 1) {
      const name = order[(index + (turn >> 1)) % names.length];
      found[name].push(await round(runs[name], tokens, count, atOnce));
    }
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        cpu: median(found[name].map(({ cpu }) => cpu)),
        perSecond: median(found[name].map(({ perSecond }) => perSecond)),
        rounds: found[name],
      },
    ]),
  );
}
