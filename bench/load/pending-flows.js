import { createFlow, startFlow } from '../../dist/flow/flow.js';

export const flowTtl = 10 * 60_000;

/**
 * Begins flows by the kit's own code, so that what lies in the store is what a start leaves there: with a person
 * logged in, a path to return to, two attributes asked for and no context.
 */
export function flowStarter(store, clock = () => new Date()) {
  const flow = createFlow({
    path: '/identity',
    flowTtl,
    concurrentStarts: Infinity,
    concurrentVerifications: Infinity,
    isSandbox: () => false,
    isOwnOrigin: () => true,
    secrets: ['only for the measuring, and long enough'],
    store,
    service: {
      expected: { variant: 'derived' },
      start: async () => ({ redirectUrl: 'https://wallet.example/' }),
    },
    hooks: {},
    clock,
    onEvent: undefined,
    log: { warn() {} },
  });
  const input = {
    question: { name: 'default', issuer: 'de-ausweis', reveal: ['given_name', 'birth_date'], derived: {} },
    origin: 'https://shop.example',
    sameDevice: false,
    returnTo: '/club',
    subject: 's'.repeat(43),
  };
  return async () => {
    const { error } = await startFlow(flow, input, async () => 'o'.repeat(43));
    if (error !== undefined) throw error;
  };
}

/** What starts would write, without a store: ids and sealed records. */
export async function writtenByStarts(count) {
  const written = [];
  const start = flowStarter({
    async create(id, value) {
      written.push({ id, value });
      return true;
    },
  });
  for (let made = 0; made < count; made += 1) await start();
  return written;
}
