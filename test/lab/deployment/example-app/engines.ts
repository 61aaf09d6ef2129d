import { type EngineModule, loadEngine } from '../../../support/engines/engine.js';
import { serverNames } from '../../../support/servers.mjs';
import { serverPath, withServer } from '../../../stores/servers.js';

/** An engine as the example app is told of it. */
export interface Named {
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/** The tests, once for each server. */
export async function onServers(
  tests: (engine: EngineModule, place: () => Promise<Named>) => void,
): Promise<void> {
  for (const server of serverNames) {
    const engine = await loadEngine(server);
    withServer(server)(`on ${server}`, () => {
      tests(engine, async () => {
        const place = await engine.place(serverPath(server));
        return {
          env: { [engine.variable.name]: place.address },
          close: async () => {
            await place.close();
          },
        };
      });
    });
  }
}
