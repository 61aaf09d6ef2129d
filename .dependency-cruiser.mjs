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

/** @satisfies {Readonly<Record<string, Room>>} */
export const rooms = {
  errors: { path: '^lib/errors\\.ts$', sees: [], packages: [] },
  deadline: { path: '^lib/deadline\\.ts$', sees: [], packages: [] },
  ports: { path: '^lib/ports\\.ts$', sees: ['errors'], packages: [] },
  protocol: { path: '^lib/protocol/', sees: ['ports', 'errors', 'deadline'], packages: ['zod'] },
  presentation: {
    path: '^lib/presentation/',
    sees: ['protocol', 'ports', 'errors', 'deadline'],
    packages: ['@peculiar/asn1-x509', '@peculiar/asn1-schema'],
    packageTypes: ['jose'],
  },
  flow: { path: '^lib/flow/', sees: ['protocol', 'ports', 'errors', 'deadline'], packages: [] },
  stores: { path: '^lib/stores/', sees: ['ports', 'errors', 'deadline'], packages: [] },
  options: {
    path: '^lib/(options|options-schema|resolve-[a-z]+|results|near-miss|duration|environment)\\.ts$',
    sees: ['protocol', 'ports', 'errors', 'deadline'],
    packages: ['zod'],
    packageTypes: ['express'],
  },
  web: {
    path: '^lib/web/',
    sees: ['flow', 'protocol', 'options', 'ports', 'errors', 'deadline'],
    packages: ['express', 'body-parser'],
  },
  join: {
    path: '^lib/identity-verification\\.ts$',
    sees: ['web', 'options', 'stores', 'flow', 'presentation', 'protocol', 'ports', 'errors', 'deadline'],
    packages: [],
    packageTypes: ['express'],
  },
  front: {
    path: '^lib/index\\.ts$',
    sees: [
      'join',
      'web',
      'options',
      'stores',
      'flow',
      'presentation',
      'protocol',
      'ports',
      'errors',
      'deadline',
    ],
    packages: [],
  },
  // Nothing that others see: no row above names it.
  dev: {
    path: '^lib/dev/',
    sees: [
      'front',
      'join',
      'web',
      'options',
      'stores',
      'flow',
      'presentation',
      'protocol',
      'ports',
      'errors',
      'deadline',
    ],
    packages: ['express', 'jose'],
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
      },
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
