/**
 * Which layer may import which: the table of docs/architecture.md, asserted. Types count, `node:` is free everywhere.
 * test/house/layers.test.ts shows that every row matches a file and that a breach of it is found.
 *
 * @typedef {object} Room
 * @property {string} path files of the room
 * @property {readonly string[]} sees other rooms
 * @property {readonly string[]} packages third-party packages
 * @property {readonly string[]} [packageTypes] packages of which only types may be seen
 */

const ground = ['errors', 'types', 'internal'];
const verify = ['jose', 'keys', 'x5c', 'trusted-list', 'status', 'jwt', 'sd-jwt', 'trust', 'verifiers'];
const http = ['pages', 'context', 'session', 'reply', 'request', 'routes', 'router'];
const below = ['service', 'stores', ...verify, 'flow', 'options', ...http];

/** @satisfies {Readonly<Record<string, Room>>} */
export const rooms = {
  errors: { path: '^lib/(errors|error-codes)\\.ts$', sees: [], packages: [] },
  types: { path: '^lib/types/', sees: ['errors'], packages: [] },
  internal: { path: '^lib/internal/', sees: ['errors'], packages: [] },
  service: { path: '^lib/service/', sees: ground, packages: ['zod'] },
  stores: { path: '^lib/stores/', sees: ground, packages: [] },

  // The layers of verify/, from the lowest up.
  jose: { path: '^lib/verify/(jose/|checks\\.ts$)', sees: ground, packages: [] },
  keys: { path: '^lib/verify/keys/', sees: ['jose', ...ground], packages: [] },
  x5c: {
    path: '^lib/verify/x5c/',
    sees: ['keys', 'jose', ...ground],
    packages: ['@peculiar/asn1-x509', '@peculiar/asn1-schema'],
  },
  'trusted-list': {
    path: '^lib/verify/trusted-list/',
    sees: ['x5c', 'keys', 'jose', ...ground],
    packages: [],
  },
  status: { path: '^lib/verify/status/', sees: ['keys', 'jose', ...ground], packages: [] },
  jwt: { path: '^lib/verify/jwt/', sees: ['keys', 'jose', ...ground], packages: [] },
  'sd-jwt': { path: '^lib/verify/sd-jwt/', sees: ['keys', 'jose', ...ground], packages: [] },
  trust: {
    path: '^lib/verify/trust/',
    sees: ['sd-jwt', 'jwt', 'status', 'trusted-list', 'x5c', 'keys', 'jose', 'service', ...ground],
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
    packages: ['zod', '@peculiar/asn1-x509', '@peculiar/asn1-schema'],
    packageTypes: ['express'],
  },

  // The layers of http/, from the lowest up.
  pages: {
    path: '^lib/http/pages/',
    sees: ['service', 'options', ...ground],
    packages: [],
  },
  context: {
    path: '^lib/http/(context|async-handler|log|request-origin|dev-errors)\\.ts$',
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
  reply: {
    path: '^lib/http/reply/',
    sees: ['session', 'pages', 'context', 'flow', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  request: {
    path: '^lib/http/request/',
    sees: ['session', 'context', 'flow', 'service', 'options', ...ground],
    packages: ['body-parser'],
    packageTypes: ['express'],
  },
  routes: {
    path: '^lib/http/routes/',
    sees: ['request', 'session', 'reply', 'context', 'pages', 'flow', 'service', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  router: {
    path: '^lib/http/router\\.ts$',
    sees: ['routes', 'request', 'reply', 'context', 'pages', 'options', ...ground],
    packages: ['express'],
  },

  'identity-verification': {
    path: '^lib/identity-verification\\.ts$',
    sees: [...below, ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  index: { path: '^lib/index\\.ts$', sees: ['identity-verification', ...below, ...ground], packages: [] },
  // Nothing that others see: no row above names it.
  dev: {
    path: '^lib/dev/',
    sees: ['index', 'identity-verification', ...below, ...ground],
    packages: ['express', 'jose', 'uqr', 'zod'],
  },
};

const all = /** @type {Readonly<Record<string, Room>>} */ (rooms);

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
        name: `${name}-sees-${sees.join('-') || 'no-room'}`,
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

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...table,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'flow-has-one-door',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/flow/' },
      to: { path: '^lib/flow/', pathNot: '^lib/flow/flow\\.ts$' },
    },
    {
      name: 'stores-never-see-one-another',
      severity: 'error',
      from: { path: '^lib/stores/([^/.]+)' },
      to: { path: '^lib/stores/', pathNot: '^lib/stores/($1[/.]|call-backend\\.ts$)' },
    },
    {
      name: 'no-development-package',
      severity: 'error',
      from: { path: '^lib/' },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer'],
        pathNot: packagePaths(['jose']), // the build carries it into the package
      },
    },
    {
      name: 'jose-has-one-door',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/dev/sandbox/jose\\.ts$' },
      to: { path: packagePaths(['jose']) },
    },
    {
      name: 'no-orphan',
      severity: 'error',
      from: { orphan: true, path: '^lib/' },
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
