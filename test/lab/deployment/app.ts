import { createServer } from 'node:http';
import express from 'express';
import session from 'express-session';
import { type Trust, identityVerification } from '../../../lib/index.js';
import { attributeIds } from '../../../lib/types/attributes.js';
import { listenOn } from '../../support/listen.js';
import { type EngineAddress, loadEngine, serverOf } from '../../support/engines/engine.js';
import { agingStore, haltingSessions, haltingStore } from './halting-store.js';

/** What the app is told before it begins. */
export interface Setup {
  readonly engine: EngineAddress;
  /** The public origin, which a balancer would have. */
  readonly appUrl: string;
  readonly service: string;
  readonly trust: Trust;
  /** Asks wallets itself, in place of the service. */
  readonly wallets?: { readonly certificate: string; readonly key: string; readonly registration: string };
  readonly now: number;
  readonly confirm?: 'return' | 'callback';
  readonly hookTimeout?: number;
}

export interface Order {
  readonly setup?: Setup;
  /** The clock stands still at this time. */
  readonly now?: number;
  /** The point at which to stop for good. */
  readonly halt?: string;
}

/** What the app tells: `done` answers an order. */
export type Word =
  | { readonly url: string }
  | { readonly done: true }
  | { readonly halted: string }
  | { readonly hook: string; readonly receipt: string }
  | { readonly event: string; readonly flow: string | undefined };

const tell = (word: Word): void => void process.send?.(word);

let now = 0;
let awaited: string | undefined;

async function reach(point: string): Promise<void> {
  if (point !== awaited) return;
  tell({ halted: point });
  await new Promise<never>(() => undefined);
}

async function begin(setup: Setup): Promise<() => void> {
  now = setup.now;
  const engine = await loadEngine(serverOf(setup.engine.name));
  const { flows, sessions } = await engine.open(setup.engine, 5);
  const store = haltingStore(
    agingStore(flows, () => now > setup.now),
    reach,
  );
  const hook =
    (name: string) =>
    async ({ result }: { result: { receipt: { id: string } } }) => {
      tell({ hook: name, receipt: result.receipt.id });
      await reach(name);
    };
  const identity = identityVerification({
    reveal: attributeIds,
    issuer: 'xx-test',
    ...(setup.wallets === undefined
      ? { baseUrl: setup.service, apiKey: 'only-for-tests' }
      : { wallets: setup.wallets }),
    secret: 'only for tests, with 32 characters or more',
    appUrl: setup.appUrl,
    trust: setup.trust,
    store,
    clock: () => new Date(now),
    confirm: setup.confirm,
    limits: { hookTimeout: setup.hookTimeout },
    ...(setup.confirm !== 'callback' && { onVerified: hook('onVerified') }),
    onSuccess: hook('onSuccess'),
    onEvent: ({ type, flow }) => {
      tell({ event: type, flow });
    },
    ...(setup.confirm !== 'callback' && {
      keep: async ({ attributes }: { attributes: { given_name: string } }) => {
        await reach('keep');
        return attributes.given_name;
      },
    }),
  });

  const app = express();
  app.set('env', 'production'); // Express prints no stack
  app.set('trust proxy', 'loopback');
  app.use(
    session({
      secret: 'only for tests',
      resave: false,
      saveUninitialized: false,
      store: haltingSessions(sessions, reach),
    }),
  );
  app.use('/identity', identity);
  app.get('/me', (req, res) => {
    res.json(identity.of(req)?.kept ?? null);
  });
  tell({ url: await listenOn(createServer(app)) });
  return () => {
    store.recount();
  };
}

let recount = (): void => undefined;

async function obey(order: Order): Promise<void> {
  if (order.setup !== undefined) recount = await begin(order.setup);
  if (order.now !== undefined) now = order.now;
  if (order.halt !== undefined) {
    awaited = order.halt;
    recount();
  }
  tell({ done: true });
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
