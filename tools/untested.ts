import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '../lib/errors.js';
import { transitions } from '../lib/flow/transitions.js';
import { proveErrors } from '../lib/service/prove/errors.js';
import { mistakes } from '../lib/set-up/list.js';
import { filesByFault } from '../test/faults/index.mjs';
import { promised } from '../test/faults/promises.mjs';
import { read, root } from './contents.js';

/** What tests have, by which a row of a document can have one. */
export interface Tests {
  /** The numbers that a title begins with. */
  readonly titles: ReadonlySet<string>;
  /** The words that a text in quotes begins with. */
  readonly words: ReadonlySet<string>;
  /** The names of the scenes that play a row of a flow's life. */
  readonly scenes: ReadonlySet<string>;
}

function allTests(): Tests {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'));
  const found = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, name = '']) => name);
  return {
    titles: new Set(filesByFault().keys()),
    words: new Set(sources.flatMap((file) => found(read(join('test', file)), /['"`]([\w-]+)/g))),
    scenes: new Set(found(read('test/flow/transitions.test.ts'), /^ {2}(?:async )?(\w+)[(:]/gm)),
  };
}

/** The rows of the documents that are made which have no test, each with what is missing. */
export function untested({ titles, words, scenes }: Tests = allTests()): string[] {
  const lacking = (names: Iterable<string>, having: ReadonlySet<string>, missing: string): string[] =>
    [...names].filter((name) => !having.has(name)).map((name) => `${name}: ${missing}`);
  const numbers = [...promised()];
  const codes = [...Object.keys(errorCodes), ...Object.keys(proveErrors)];
  return [
    ...lacking(
      numbers.filter((number) => number.startsWith('F')),
      titles,
      'no title of a test begins with it',
    ),
    ...lacking(
      numbers.filter((number) => !number.startsWith('F')),
      words,
      'no test has this check',
    ),
    ...lacking(codes, words, 'no test names this code'),
    ...lacking(
      mistakes.map(({ id }) => id),
      words,
      'no test names this mistake',
    ),
    ...lacking(Object.keys(transitions), scenes, 'test/flow/transitions.test.ts has no scene of it'),
  ];
}
