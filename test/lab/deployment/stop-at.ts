import type { AppProcess } from './app-process.js';

/** A request that stands still in its process. */
interface Stopped<T> {
  readonly answer: Promise<T>;
}

/** Sends the request and waits until it has come to the point; fails where it is answered before. */
export async function stopAt<T>(
  point: string,
  process: AppProcess,
  request: () => Promise<T>,
): Promise<Stopped<T>> {
  await process.haltAt(point);
  const answer = request();
  const first = await Promise.race([
    answer.then(
      () => 'answered',
      () => 'cut off',
    ),
    process.halted().then(() => 'halted'),
  ]);
  if (first !== 'halted') throw new Error(`The request was ${first} before ${point}.`);
  return { answer };
}

/** Kills the process when the request has come to the point: it never gets an answer. */
export async function killAt(
  point: string,
  victim: AppProcess,
  request: () => Promise<unknown>,
): Promise<void> {
  const { answer } = await stopAt(point, victim, request);
  const end = answer.then(
    () => 'answered',
    () => 'cut off',
  );
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
