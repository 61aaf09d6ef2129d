import { readFileSync } from 'node:fs';

/** A test file of `npm test`, as it was when the map was made. */
export interface TestRan {
  readonly file: string;
  /** The digest of its source. */
  readonly text: string;
  readonly ms: number;
  readonly passed: boolean;
}

/** A function, and the test files that executed it, by their place in the list of the map. */
export interface PartRan {
  /** The digest of its text, as `partsOf` has it. */
  readonly text: string;
  readonly ran: readonly number[];
  /** Of each branch that some of them took, and not all: which. */
  readonly arms: readonly (readonly number[])[];
}

export interface FileRan {
  readonly loaded: readonly number[];
  readonly functions: Record<string, PartRan>;
}

/** Which test files execute which functions. `npm test -- --coverage` makes it. */
export interface ExecutedMap {
  readonly made: string;
  readonly tests: readonly TestRan[];
  readonly files: Record<string, FileRan>;
}

/** Where the map is, from the root of the project. Git ignores the folder. */
export const mapFile = 'coverage/executed.json';

/** Returns undefined where none was made yet. */
export function readMap(path: string): ExecutedMap | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ExecutedMap;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
