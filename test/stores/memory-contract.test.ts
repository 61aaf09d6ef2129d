import { describe, test } from '@jest/globals';
import { flowStoreContract } from '../../lib/dev/testing/index.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { testClock } from '../support/clock.js';

describe('memoryStore', () => {
  flowStoreContract(test, () => {
    const clock = testClock();
    return { store: memoryStore({ clock }), forward: (ms) => clock.forward(ms) };
  });
});
