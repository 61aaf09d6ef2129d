import { afterAll, beforeAll } from '@jest/globals';
import type { EngineName } from './engine.js';
import { type Stage, openStage } from './stage.js';
import { postgresPath, redisPath, withPostgres, withRedis } from '../../stores/servers.js';

/** The tests, once for each of these engines, on the servers that all tests share. */
export function onEngines(
  names: readonly EngineName[],
  tests: (engine: { readonly name: EngineName; readonly path: string }) => void,
): void {
  for (const name of names) {
    const [path, withServer] =
      name === 'postgres' ? ([postgresPath, withPostgres] as const) : ([redisPath, withRedis] as const);
    withServer(`on ${name}`, () => {
      tests({ name, path });
    });
  }
}

/** A stage for the tests of one group, with so many processes loaded ahead. */
export function stageFor(engine: { name: EngineName; path: string }, processes: number): () => Stage {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(engine.name, engine.path);
    stage.warmUp(processes);
  });
  afterAll(async () => {
    await stage.close();
  });
  return () => stage;
}
