import { bundled } from './tools/bundled.mjs';

/**
 * Which layer may import which: the table of docs/architecture.md, asserted. Types count, `node:` is free everywhere.
 * test/tools/layers.test.ts shows that every row matches a file and that a breach of it is found.
 *
 * @typedef {object} Layer
 * @property {string} path files of the layer
 * @property {readonly string[]} sees other layers
 * @property {readonly string[]} packages third-party packages
 * @property {readonly string[]} [packageTypes] packages of which only types may be seen
 */

const ground = ['errors', 'types', 'internal'];
const verify = ['jose', 'keys', 'x5c', 'trusted-list', 'status', 'sd-jwt', 'trust', 'verifiers'];
const http = ['pages', 'context', 'session', 'http'];
const below = ['set-up', 'service', 'stores', ...verify, 'flow', 'options', ...http];

/** What each layer of dev/ may see of the rest. */
const kit = ['index', 'identity-verification', ...below, ...ground];

/** @satisfies {Readonly<Record<string, Layer>>} */
export const layers = {
  errors: { path: '^lib/errors\\.ts$', sees: [], packages: [] },
  types: { path: '^lib/types/', sees: ['errors'], packages: [] },
  internal: { path: '^lib/internal/', sees: ['errors', 'types'], packages: [] },
  'set-up': { path: '^lib/set-up/', sees: [], packages: [] },
  service: { path: '^lib/service/', sees: ground, packages: ['zod'] },
  stores: { path: '^lib/stores/', sees: ground, packages: [] },

  // The layers of verify/, from the lowest up.
  jose: { path: '^lib/verify/(jose/|checks\\.ts$)', sees: ground, packages: [] },
  keys: { path: '^lib/verify/keys/', sees: ['jose', ...ground], packages: [] },
  x5c: { path: '^lib/verify/x5c/', sees: ['keys', 'jose', ...ground], packages: [] },
  'trusted-list': {
    path: '^lib/verify/trusted-list/',
    sees: ['x5c', 'keys', 'jose', ...ground],
    packages: [],
  },
  status: { path: '^lib/verify/status/', sees: ['keys', 'jose', ...ground], packages: [] },
  'sd-jwt': { path: '^lib/verify/sd-jwt/', sees: ['keys', 'jose', ...ground], packages: [] },
  trust: {
    path: '^lib/verify/trust/',
    sees: ['sd-jwt', 'status', 'trusted-list', 'x5c', 'keys', 'jose', 'service', ...ground],
    packages: [],
  },
  verifiers: {
    path: '^lib/verify/ver[a-z-]+\\.ts$',
    sees: ['trust', 'jose', 'service', ...ground],
    packages: [],
  },

  flow: { path: '^lib/flow/', sees: ['service', ...ground], packages: [] },
  options: {
    path: '^lib/options/',
    sees: ['service', ...ground],
    packages: [],
    packageTypes: ['express'],
  },

  // The layers of http/, from the lowest up.
  pages: {
    path: '^lib/http/pages/',
    sees: ['service', 'options', ...ground],
    packages: [],
  },
  context: {
    path: '^lib/http/(context|async-handler|log|notice|help/help)\\.ts$',
    sees: ['pages', 'flow', 'service', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  session: {
    path: '^lib/http/session/',
    sees: ['context', 'flow', 'service', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  http: {
    path: '^lib/http/(?!pages/|session/|(context|async-handler|log|notice|help/help)\\.ts$)',
    sees: ['session', 'pages', 'context', 'set-up', 'flow', 'service', 'options', ...ground],
    packages: ['express', 'body-parser', 'uqr'],
  },

  'identity-verification': {
    path: '^lib/identity-verification\\.ts$',
    sees: [...below, ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  index: { path: '^lib/index\\.ts$', sees: ['identity-verification', ...below, ...ground], packages: [] }, // The layers of dev/, from the lowest up. No row above names one: nothing outside of dev/ sees it.
  'dev-base': {
    path: '^lib/dev/(only-development|error-entry|sandbox/(join|mistakes|start-afresh|profile|jose|listen))\\.ts$',
    sees: [...kit],
    packages: ['jose'],
  },
  people: { path: '^lib/dev/sandbox/people/', sees: ['dev-base', ...kit], packages: ['zod'] },
  issuers: { path: '^lib/dev/sandbox/issuers/', sees: ['people', 'dev-base', ...kit], packages: ['express'] },
  scenarios: {
    path: '^lib/dev/sandbox/(scenarios|timeline)/',
    sees: ['inspect', 'issuers', 'people', 'dev-base', ...kit],
    packages: [],
  },
  wallet: {
    path: '^lib/dev/sandbox/wallet/',
    sees: ['issuers', 'people', 'dev-base', ...kit],
    packages: ['zod'],
  },
  'sandbox-service': {
    path: '^lib/dev/sandbox/service/',
    sees: ['inspect', 'wallet', 'scenarios', 'issuers', 'people', 'dev-base', ...kit],
    packages: [],
  },
  simulator: {
    path: '^lib/dev/sandbox/simulator/',
    sees: ['wallet', 'sandbox-service', 'scenarios', 'issuers', 'people', 'dev-base', ...kit],
    packages: [],
  },
  'sandbox-pages': {
    path: '^lib/dev/sandbox/pages/',
    sees: [
      'inspect',
      'simulator',
      'wallet',
      'sandbox-service',
      'scenarios',
      'issuers',
      'people',
      'dev-base',
      ...kit,
    ],
    packages: [],
    packageTypes: ['express'],
  },
  'sandbox-routes': {
    path: '^lib/dev/sandbox/routes/',
    sees: [
      'sandbox-pages',
      'simulator',
      'wallet',
      'sandbox-service',
      'scenarios',
      'issuers',
      'people',
      'dev-base',
      ...kit,
    ],
    packages: ['express', 'zod'],
  },
  sandbox: {
    path: '^lib/dev/sandbox/(index|app|options|create-[a-z]+)\\.ts$',
    sees: [
      'sandbox-routes',
      'sandbox-pages',
      'simulator',
      'wallet',
      'sandbox-service',
      'scenarios',
      'issuers',
      'people',
      'dev-base',
      ...kit,
    ],
    packages: ['express'],
  },
  inspect: { path: '^lib/dev/inspect/', sees: kit, packages: [] },
  cli: {
    path: '^lib/dev/cli/',
    sees: ['inspect', 'sandbox', 'simulator', 'scenarios', 'dev-base', ...kit],
    packages: ['zod'],
  },
  testing: { path: '^lib/dev/testing/', sees: ['dev-base', ...kit], packages: [], packageTypes: ['express'] },
};

/** The layers of the example app, from the lowest up: each sees those before it. */
export const exampleApp = {
  texts: '^example-app/texts/',
  ground: '^example-app/(language|members|look|secret-of|shelf)\\.ts$',
  questions: '^example-app/questions/',
  identity: '^example-app/identity\\.ts$',
  layout: '^example-app/pages/(html|layout)\\.ts$',
  faults: '^example-app/(faults|own-forms)\\.ts$',
  'log-in': '^example-app/log-in\\.ts$',
  pages: '^example-app/pages/(home|kept|others)\\.ts$',
  stories: '^example-app/stories/',
  app: '^example-app/app\\.ts$',
  starts: '^example-app/(main\\.ts$|scaled)',
};

const all = /** @type {Readonly<Record<string, Layer>>} */ (layers);

/** @param {readonly string[]} names */
const pathsOf = (names) => names.flatMap((name) => all[name]?.path ?? []).join('|');

/** @type {import('dependency-cruiser').DependencyType[]} */
const fromNpm = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-bundled', 'npm-no-pkg', 'npm-unknown'];

/** @param {readonly string[]} names */
const packagePaths = (names) => names.map((name) => `^node_modules/(@types/)?${name}/`);

/** An empty list would be an expression that fits everything. @param {readonly string[]} names */
const otherThan = (names) => (names.length === 0 ? {} : { pathNot: packagePaths(names) });

/** @typedef {import('dependency-cruiser').IForbiddenRuleType} Rule */

/** @type {Rule[]} */
const table = Object.entries(all).flatMap(
  ([name, { path, sees, packages, packageTypes = [] }]) =>
    /** @type {Rule[]} */ ([
      {
        name: `${name}-sees-${sees.join('-') || 'no-layer'}`,
        severity: 'error',
        from: { path },
        to: { path: '^lib/', pathNot: pathsOf([name, ...sees]) },
      },
      {
        name: `${name}-uses-${[...packages, ...packageTypes].join('-') || 'no-package'}`,
        severity: 'error',
        from: { path },
        to: { dependencyTypes: fromNpm, ...otherThan([...packages, ...packageTypes]) },
      },
      ...packageTypes.map((only) => ({
        name: `${name}-uses-only-types-of-${only}`,
        severity: 'error',
        from: { path },
        to: { path: packagePaths([only]), dependencyTypesNot: ['type-only'] },
      })),
    ]),
);

/** @type {Rule[]} */
const exampleAppTable = Object.entries(exampleApp).map(([name, path], index, layers) => ({
  name: `example-app-${name}-sees-what-is-below`,
  severity: 'error',
  from: { path },
  to: {
    path: '^example-app/',
    pathNot: layers
      .slice(0, index + 1)
      .map(([, below]) => below)
      .join('|'),
  },
}));

/** @type {Rule[]} */
const bundledTable = Object.entries(bundled).map(([name, path]) => ({
  name: `${name}-has-one-front`,
  severity: 'error',
  from: { path: '^lib/', pathNot: `^${path.replaceAll('.', '\\.')}$` },
  to: { path: packagePaths([name]) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...table,
    ...exampleAppTable,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'flow-has-one-front',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/flow/' },
      to: { path: '^lib/flow/', pathNot: '^lib/flow/flow\\.ts$' },
    },
    {
      name: 'one-writer-of-sessions', // beside the copy under a new id
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/http/session/(write|renew|change)-session\\.ts$' },
      to: { path: '^lib/http/session/change-session\\.ts$' },
    },
    {
      name: 'stores-never-see-one-another',
      severity: 'error',
      from: { path: '^lib/stores/([^/.]+)' },
      to: { path: '^lib/stores/', pathNot: '^lib/stores/($1[/.]|(call-backend|table-store)\\.ts$)' },
    },
    {
      name: 'no-development-package',
      severity: 'error',
      from: { path: '^lib/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
        pathNot: packagePaths(Object.keys(bundled)), // the build carries them into the package
      },
    },
    ...bundledTable,
    {
      name: 'no-orphan',
      severity: 'error',
      from: { orphan: true, path: '^lib/', pathNot: '^lib/dev/cli/preload\\.mjs$' }, // which node loads by its address
      to: {},
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'inside-lib',
      severity: 'error',
      from: { path: '^lib/' },
      to: { pathNot: '^(lib|node_modules)/', dependencyTypesNot: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
