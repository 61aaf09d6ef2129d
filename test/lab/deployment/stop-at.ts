import type { AppProcess } from './app-process.js';

/** Kills the process when the request has come to the point: it never gets an answer. Fails where it is answered before. */
export async function killAt(
  point: string,
  victim: AppProcess,
  request: () => Promise<unknown>,
): Promise<void> {
  await victim.haltAt(point);
  const end = request().then(
    () => 'answered',
    () => 'cut off',
  );
  const first = await Promise.race([end, victim.halted().then(() => 'halted')]);
  if (first !== 'halted') throw new Error(`The request was ${first} before ${point}.`);
  await victim.kill();
  if ((await end) !== 'cut off') throw new Error('It was answered by a process that is dead.');
}

/** Kills the process when it has come to the point, which it does after its answer: that is there all the same. */
export async function killWhenAnswered<T>(
  point: string,
  victim: AppProcess,
  request: () => Promise<T>,
): Promise<T> {
  await victim.haltAt(point);
  const answer = await request();
  await victim.halted();
  await victim.kill();
  return answer;
}
