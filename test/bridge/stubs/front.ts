import { once } from 'node:events';
import express, { type Express, type Response } from 'express';
import { createServer } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { closeServer, listenOn } from '../../support/listen.js';

/**
 * How the private side of a stub behaves: `endless` says more than anybody needs, `late` answers when the test is over, and
 * at `not found` a proxy in between finds nothing.
 */
export type Mood = 'well' | 'down' | 'nonsense' | 'endless' | 'late' | 'not found';

export interface StubFront {
  readonly app: Express;
  readonly url: string;
  readonly close: () => Promise<void>;
  readonly stub: {
    mood: Mood;
    /** The one call that ends its connection without an answer. */
    failsAt?: string;
    /** What the bridge has called, and what of it was not as the verifier's source has it. */
    readonly calls: string[];
    readonly wrong: string[];
  };
  /** Counts a call, and behaves as the mood is; false: that was all. */
  readonly enter: (call: string, res: Response) => Promise<boolean>;
  /** Notes what is not exactly as it must be. */
  readonly must: (what: string, is: unknown, expected: unknown) => void;
}

export async function openFront(port = 0): Promise<StubFront> {
  const app = express();
  const server = createServer(app);
  const url = await listenOn(server, '127.0.0.1', port);
  app.use(express.json(), express.urlencoded({ extended: false, limit: '256kb' }));
  const stub: StubFront['stub'] = { mood: 'well', calls: [], wrong: [] };
  return {
    app,
    url,
    close: async () => await closeServer(server),
    stub,
    async enter(call, res) {
      stub.calls.push(call);
      if (stub.failsAt === call) {
        res.destroy();
        return false;
      }
      if (stub.mood === 'down') res.destroy();
      else if (stub.mood === 'nonsense') res.type('html').send('<!doctype html><title>Welcome</title>');
      else if (stub.mood === 'not found') res.status(404).type('html').send('<h1>404 Not Found</h1>');
      else if (stub.mood === 'endless') res.json({ text: 'x'.repeat(600_000) });
      else if (stub.mood === 'late') await once(res, 'close');
      return stub.mood === 'well';
    },
    must(what, is, expected) {
      if (!isDeepStrictEqual(is, expected)) stub.wrong.push(`${what}: ${JSON.stringify(is)}`);
    },
  };
}
