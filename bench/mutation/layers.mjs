import { readdirSync } from 'node:fs';

const throughHttp = {
  without: [
    'http/route-cost',
    'http/traces',
    'faults/flood',
    'faults/callback-race',
    'faults/store-access',
    'faults/return-together',
  ],
  last: ['faults/callback-body', 'faults/start-return-to'],
};

/**
 * What is left out tries the same mutant hundreds of times (properties) or replaces a module of Node, which needs
 * jest's own loader (route-cost), or needs a process in which nobody else traces (traces). `last` are those that take longest: the first failure ends the run of a mutant.
 */
const layers = {
  verify: {
    tests: ['test/verify'],
    without: ['properties'],
    last: [
      'jose/jose',
      'status/status',
      'trusted-list/list',
      'trusted-list/source',
      'wycheproof',
      'compressed-replies',
      'x5c/path',
      'x5c/pkits',
      'jose/against-jose',
    ],
  },
  flow: {
    tests: ['test/flow', 'test/http', 'test/faults'],
    ...throughHttp,
  },
  http: {
    tests: ['test/http', 'test/faults'],
    ...throughHttp,
  },
  // What only apps that ask wallets themselves load.
  wallets: {
    files: [
      'lib/service/wallets/**/*.ts',
      'lib/http/wallet/**/*.ts',
      'lib/flow/wallet.ts',
      'lib/service/access.ts',
    ],
    tests: [
      ...['test/service/wallets', 'test/http/wallets', 'test/options/wallets.test.ts'],
      'test/dev/sandbox/wallet/role.test.ts',
    ],
    without: [],
    last: ['wallets/attacks', 'wallets/answers', 'wallets/road'],
  },
};

/** The layer whose lib/ is changed: the first word after the command, as in `mutate -- flow`. */
export const layer = process.env.LAYER || 'verify';
if (!Object.hasOwn(layers, layer))
  throw new Error(`No such layer: ${layer} (${Object.keys(layers).join(', ')})`);

/** The files that are changed. */
export const files = layers[layer].files ?? [`lib/${layer}/**/*.ts`];

/** The layer's test files, the slow ones at the end. */
export function testFiles() {
  const { tests, without, last } = layers[layer];
  const rank = (file, names) => names.findIndex((name) => file.endsWith(`/${name}.test.ts`));
  return tests
    .flatMap((path) =>
      path.endsWith('.test.ts')
        ? [path]
        : readdirSync(path, { recursive: true })
            .toSorted()
            .map((file) => `${path}/${file}`),
    )
    .filter((file) => file.endsWith('.test.ts') && rank(file, without) === -1)
    .toSorted((one, other) => rank(one, last) - rank(other, last));
}
