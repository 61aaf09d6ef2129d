import { randomBytes } from 'node:crypto';
import { now } from '../../support/verify/issuer.js';
import type { Setup } from './app.js';
import { type AppProcess, type Spare, startSpare } from './app-process.js';
import { type EngineAddress, type EngineName, loadEngine, serverOf } from '../../support/engines/engine.js';
import { appUrl } from './person.js';
import { type ProveService, startProveService } from './prove-service.js';
import { trust } from './wallet.js';

/** An engine, a service, and as many processes as are asked for. */
export interface Stage {
  readonly engine: EngineAddress;
  /** Loads so many processes ahead. */
  warmUp(count: number): void;
  begin(setup?: Partial<Setup>): Promise<AppProcess>;
  close(): Promise<void>;
}

export async function openStage(name: EngineName, path: string): Promise<Stage> {
  const engine = newSpace(name, path);
  const module = await loadEngine(serverOf(name));
  const [service] = await Promise.all([startProveService(), module.prepare?.(engine)]);
  return stageOf(engine, service);
}

/** A part of the engine that nothing else uses. */
function newSpace(name: EngineName, path: string): EngineAddress {
  return { name, path, space: `s${randomBytes(6).toString('hex')}` };
}

function stageOf(engine: EngineAddress, service: ProveService): Stage {
  const spares: Promise<Spare>[] = [];
  const begun: Promise<Spare>[] = [];

  const warmUp: Stage['warmUp'] = (count) => {
    while (spares.length < count) spares.push(startSpare());
  };

  return {
    engine,
    warmUp,
    async begin(setup) {
      warmUp(1);
      const spare = spares.shift() as Promise<Spare>;
      begun.push(spare);
      return await (
        await spare
      ).begin({
        engine,
        appUrl,
        service: service.url,
        trust,
        now: now.getTime(),
        ...setup,
      });
    },
    async close() {
      await Promise.all([...spares, ...begun].map(async (it) => await (await it).end()));
      await service.close();
    },
  };
}
