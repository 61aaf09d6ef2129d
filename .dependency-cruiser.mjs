/**
 * Which room may see which: the table of docs/architecture.md, asserted. Types count, `node:` is free everywhere.
 * test/house/layers.test.ts shows that every row matches a file and that a breach of it is found.
 *
 * @typedef {object} Room
 * @property {string} path files of the room
 * @property {readonly string[]} sees other rooms
 * @property {readonly string[]} packages third-party packages
 * @property {readonly string[]} [packageTypes] packages of which only types may be seen
 */

const ground = ['errors', 'contracts', 'safe'];
const presentation = ['token', 'keys', 'x5c', 'lote', 'status', 'jwt', 'sd-jwt', 'trust', 'verifiers'];
const web = ['pages', 'web', 'session', 'reply', 'request', 'routes', 'router'];
const below = ['protocol', 'stores', ...presentation, 'flow', 'options', ...web];

/** @satisfies {Readonly<Record<string, Room>>} */
export const rooms = {
  errors: { path: '^lib/(errors|error-codes)\\.ts$', sees: [], packages: [] },
  contracts: { path: '^lib/contracts/', sees: ['errors'], packages: [] },
  safe: { path: '^lib/safe/', sees: ['errors'], packages: [] },
  protocol: { path: '^lib/protocol/', sees: ground, packages: ['zod'] },
  stores: { path: '^lib/stores/', sees: ground, packages: [] },

  // The floors of presentation/, from the ground up.
  token: { path: '^lib/presentation/(token/|checks\\.ts$)', sees: ground, packages: [] },
  keys: { path: '^lib/presentation/keys/', sees: ['token', ...ground], packages: [] },
  x5c: {
    path: '^lib/presentation/x5c/',
    sees: ['keys', 'token', ...ground],
    packages: ['@peculiar/asn1-x509', '@peculiar/asn1-schema'],
  },
  lote: { path: '^lib/presentation/lote/', sees: ['x5c', 'keys', 'token', ...ground], packages: [] },
  status: { path: '^lib/presentation/status/', sees: ['keys', 'token', ...ground], packages: [] },
  jwt: { path: '^lib/presentation/jwt/', sees: ['keys', 'token', ...ground], packages: [] },
  'sd-jwt': { path: '^lib/presentation/sd-jwt/', sees: ['keys', 'token', ...ground], packages: [] },
  trust: {
    path: '^lib/presentation/trust/',
    sees: ['sd-jwt', 'jwt', 'status', 'lote', 'x5c', 'keys', 'token', 'protocol', ...ground],
    packages: [],
  },
  verifiers: {
    path: '^lib/presentation/ver[a-z-]+\\.ts$',
    sees: ['trust', 'token', 'protocol', ...ground],
    packages: [],
  },

  flow: { path: '^lib/flow/', sees: ['protocol', ...ground], packages: [] },
  options: {
    path: '^lib/options/',
    sees: ['protocol', ...ground],
    packages: ['zod', '@peculiar/asn1-x509', '@peculiar/asn1-schema'],
    packageTypes: ['express'],
  },

  // The floors of web/, from the ground up.
  pages: {
    path: '^lib/web/pages/',
    sees: ['protocol', 'options', ...ground],
    packages: [],
  },
  web: {
    path: '^lib/web/(web|handler|log|origin|show-failure)\\.ts$',
    sees: ['pages', 'flow', 'protocol', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  session: {
    path: '^lib/web/session/',
    sees: ['web', 'flow', 'protocol', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  reply: {
    path: '^lib/web/reply/',
    sees: ['session', 'pages', 'web', 'flow', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  request: {
    path: '^lib/web/request/',
    sees: ['session', 'web', 'flow', 'protocol', 'options', ...ground],
    packages: ['body-parser'],
    packageTypes: ['express'],
  },
  routes: {
    path: '^lib/web/routes/',
    sees: ['request', 'session', 'reply', 'web', 'pages', 'flow', 'protocol', 'options', ...ground],
    packages: [],
    packageTypes: ['express'],
  },
  router: {
    path: '^lib/web/router\\.ts$',
    sees: ['routes', 'request', 'reply', 'web', 'pages', 'options', ...ground],
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
      to: { path: '^lib/stores/', pathNot: '^lib/stores/($1[/.]|backend\\.ts$)' },
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
