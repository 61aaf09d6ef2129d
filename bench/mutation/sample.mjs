import { createHash } from 'node:crypto';

/** The share of the mutants that are tried, and the word that decides which: 1 takes all. */
export const share = Number(process.env.SHARE ?? 1);
const seed = process.env.SEED ?? '1';
if (!(share > 0 && share <= 1)) throw new Error('SHARE is a number above 0, and at most 1');

/** Draws by place and content, so that the same seed takes the same mutants wherever it runs. */
function isDrawn({ fileName, location, mutatorName, replacement }) {
  const file = fileName.slice(fileName.indexOf('/lib/'));
  const digest = createHash('sha256').update(
    JSON.stringify([seed, file, location, mutatorName, replacement]),
  );
  return digest.digest().readUInt32BE() < share * 2 ** 32;
}

/** Stryker has no samples, but leaves out of the score what a checker refuses ("compile errors" in its report). */
const check = async (mutants) =>
  Object.fromEntries(
    mutants.map((mutant) => [
      mutant.id,
      isDrawn(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
    ]),
  );

export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', factory: () => ({ init: async () => {}, check }) },
];
