import { duplicatedFlows, faultsOf } from '../../test/lab/deployment/duplicates.js';
import type { EngineName } from '../../test/support/engines/engine.js';
import { openStage } from '../../test/lab/deployment/stage.js';

/** So many flows, their callbacks and returns in duplicate at two processes at once. */
export async function duplicated(name: EngineName, path: string, flows: number): Promise<string[]> {
  const stage = await openStage(name, path);
  const processes = await Promise.all([stage.begin(), stage.begin()]);
  const began = performance.now();
  const all = await duplicatedFlows(flows, ...processes);
  const took = (performance.now() - began) / 1_000;
  await stage.close();

  const replies = all.flatMap((flow) => flow.replies);
  const answered = (status: number): number => replies.filter((reply) => reply.status === status).length;
  const hooks = (await Promise.all(processes.map(async (it) => await it.hooks()))).flat();
  const ran = (name: string): number => hooks.filter(({ hook }) => hook === name).length;
  const confirmed = all.filter(({ status }) => status === 'confirmed').length;
  console.log(
    `${name}: ${all.length} flows at two processes, ${replies.length} callbacks, eight at once: ` +
      `${answered(200)} times 200, ${answered(503)} times 503 with Retry-After; ` +
      `onVerified ${ran('onVerified')}, onSuccess ${ran('onSuccess')}, ${confirmed} confirmed, ${took.toFixed(1)} s\n`,
  );
  return await faultsOf(all, processes);
}
