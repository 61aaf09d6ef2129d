import { afterAll, beforeAll } from '@jest/globals';
import { type Stage, openStage } from './stage.js';
import { type EngineModule, type EngineName, loadEngine, serverOf } from '../../support/engines/engine.js';
import { serverPath, withServer } from '../../stores/servers.js';

/** An engine on the server that all tests share. */
export interface TestedEngine {
  readonly name: EngineName;
  readonly path: string;
}

/** The tests, once for each of these engines. */
export function onEngines(names: readonly EngineName[], tests: (engine: TestedEngine) => void): void {
  for (const name of names) {
    const server = serverOf(name);
    withServer(server)(`on ${name}`, () => {
      tests({ name, path: serverPath(server) });
    });
  }
}

/** The same, with what is known of each, for what happens to a server that the test has for itself. */
export async function onModules(
  names: readonly EngineName[],
  tests: (name: EngineName, engine: EngineModule) => void,
): Promise<void> {
  for (const name of names) {
    const server = serverOf(name);
    const engine = await loadEngine(server);
    withServer(server)(`on ${name}`, () => {
      tests(name, engine);
    });
  }
}

/** A stage for the tests of one group, with so many processes loaded ahead. */
export function stageFor(engine: TestedEngine, processes: number): () => Stage {
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
