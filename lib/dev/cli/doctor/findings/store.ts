import type { Check } from '../finding.js';

const flowsInMemory: Check = ({ store, settings: { mode } }) => {
  if (!store?.memory || mode !== 'production') return undefined;
  return {
    id: 'flows-in-memory',
    found: 'NODE_ENV is production, and verifications are kept in the memory of one process.',
    cause:
      'The option store is not set. The callback of the service may reach another process, or the next one.',
    mend: 'Hand in redisStore or postgresStore, as in docs/scaling.md.',
  };
};

const flowStoreAway: Check = ({ store }) => {
  if (store?.failed === undefined) return undefined;
  return {
    id: 'flow-store-away',
    found: `The flow store does not do what it must: ${store.failed} failed.`,
    cause:
      'Its server is away, its table is not there (setup), its client is not connected, or a store of your own breaks the contract.',
    mend: "Look at the server and at the app's log. For a store of your own, run flowStoreContract of pidgate/testing.",
  };
};

export const storeChecks: readonly Check[] = [flowsInMemory, flowStoreAway];
