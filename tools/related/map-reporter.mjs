import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { digest, partsOf } from './parts.mjs';

/**
 * What istanbul says of one file of lib. Its positions are those of the compiled code, so they are only compared with
 * each other: the functions of a source are the functions of what was compiled from it, in the same order.
 * @typedef {{ line: number, column: number }} Position
 * @typedef {{ start: Position, end: Position }} Place
 * @typedef {object} FileCoverage
 * @property {Record<string, { decl: Place, loc: Place }>} fnMap
 * @property {Record<string, { loc: Place, locations: readonly unknown[] }>} branchMap
 * @property {Record<string, number>} f
 * @property {Record<string, readonly number[]>} b
 *
 * @typedef {object} FileResult
 * @property {Record<string, FileCoverage>} [coverage]
 * @property {number} numFailingTests
 * @property {unknown} [testExecError]
 * @property {{ start: number, end: number }} perfStats
 *
 * @typedef {object} Run of jest, as it was asked for
 * @property {string} rootDir
 * @property {string} coverageDirectory
 * @property {boolean} collectCoverage
 * @property {readonly string[]} nonFlagArgs
 * @property {string} [testNamePattern]
 * @property {boolean} onlyChanged
 * @property {boolean} onlyFailures
 * @property {unknown} [shard]
 *
 * @typedef {import('./map.js').PartRan} PartRan
 * @typedef {{ name: string, text: string, ran: number[], arms: { branch: string, arm: number, ran: number[] }[] }} Watched
 */

/**
 * After a whole run of `npm test` with coverage, writes which test files executed which functions, and which of their
 * branches: `coverage/executed.json`, the map that `npm run test:related` reads.
 */
export default class MapReporter {
  /** @type {Run} */
  #run;
  /** @type {import('./map.js').TestRan[]} */
  #tests = [];
  /** @type {Map<string, { loaded: number[], functions: Watched[] }>} */
  #files = new Map();

  /** @param {Run} run */
  constructor(run) {
    this.#run = run;
  }

  /**
   * @param {{ path: string }} test
   * @param {FileResult} result
   */
  onTestFileResult({ path }, { coverage, numFailingTests, testExecError, perfStats }) {
    if (!this.#run.collectCoverage) return;
    const at = this.#tests.length;
    const { start, end } = perfStats;
    this.#tests.push({
      file: this.#nameOf(path),
      text: digest(readFileSync(path, 'utf8')),
      ms: end - start,
      // What stops early has not executed what it would.
      passed: numFailingTests === 0 && testExecError === undefined,
    });
    for (const [file, its] of Object.entries(coverage ?? {})) {
      const watched = this.#watch(file, its);
      watched.loaded.push(at);
      for (const [index, { ran, arms }] of watched.functions.entries()) {
        if ((its.f[index] ?? 0) === 0) continue;
        ran.push(at);
        for (const arm of arms) if ((its.b[arm.branch]?.[arm.arm] ?? 0) > 0) arm.ran.push(at);
      }
    }
  }

  onRunComplete() {
    const { collectCoverage, coverageDirectory, nonFlagArgs, testNamePattern = '' } = this.#run;
    const { onlyChanged, onlyFailures, shard } = this.#run;
    const isPart =
      nonFlagArgs.length > 0 || testNamePattern !== '' || onlyChanged || onlyFailures || shard !== undefined;
    if (!collectCoverage || isPart) return;
    /** @type {import('./map.js').ExecutedMap} */
    const map = { made: new Date().toISOString(), tests: this.#tests, files: {} };
    for (const [file, { loaded, functions }] of this.#files) {
      const parts = functions.map(({ name, text, ran, arms }) => [
        name,
        { text, ran, arms: armsOf(ran, arms) },
      ]);
      map.files[this.#nameOf(file)] = {
        loaded,
        functions: /** @type {Record<string, PartRan>} */ (Object.fromEntries(parts)),
      };
    }
    mkdirSync(coverageDirectory, { recursive: true });
    writeFileSync(join(coverageDirectory, 'executed.json'), JSON.stringify(map));
  }

  /** @param {string} path */
  #nameOf(path) {
    return relative(this.#run.rootDir, path).replaceAll(sep, '/');
  }

  /**
   * @param {string} file
   * @param {FileCoverage} its
   */
  #watch(file, { fnMap, branchMap }) {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const parts = partsOf(readFileSync(file, 'utf8')).parts.filter(({ isFunction }) => isFunction);
    const places = Object.values(fnMap);
    if (parts.length !== places.length) {
      throw new Error(
        `${file} has ${parts.length} functions in its source, and ${places.length} in what was compiled from it: tools/related/parts.mjs must find the same ones.`,
      );
    }
    /** @type {Watched[]} */
    const functions = parts.map(({ name, text }) => ({ name, text: digest(text), ran: [], arms: [] }));
    for (const [branch, { loc, locations }] of Object.entries(branchMap)) {
      // The last function that begins before it and ends after it is the innermost one.
      const inner = places.findLastIndex(
        (place) => !isBefore(loc.start, place.decl.start) && !isBefore(place.loc.end, loc.start),
      );
      functions[inner]?.arms.push(...locations.map((_, arm) => ({ branch, arm, ran: [] })));
    }
    const watched = { loaded: [], functions };
    this.#files.set(file, watched);
    return watched;
  }
}

/**
 * @param {Position} one
 * @param {Position} other
 */
const isBefore = (one, other) =>
  one.line < other.line || (one.line === other.line && one.column < other.column);

/**
 * The arms that tell test files apart, each list once: not those that all or none of them take.
 * @param {readonly number[]} ran
 * @param {Watched['arms']} arms
 */
function armsOf(ran, arms) {
  const lists = arms.map((arm) => arm.ran).filter(({ length }) => length > 0 && length < ran.length);
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}
