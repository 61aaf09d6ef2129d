import swc from '@swc/jest';

/** @param {string} number */
const isOn = (number) => `!globalThis.switchedOff?.has(${number})`;
const refusal =
  /\b(?:throw|return) (?:checkFailed|unavailable|unknownStatus)\(\s*('[A-Z]\d\d'|part\.malformed)/g;

/** A refusal that a switched-off check does not make. @param {string} source */
function switchable(source) {
  return source
    .replaceAll('if (!passes) throw', `if (!passes && ${isOn('check')}) throw`)
    .replaceAll(refusal, (all, number) => `if (${isOn(number)}) ${all}`);
}

/** @swc/jest, with every check of lib/presentation made so that environment.mjs can switch it off by its number. */
export default {
  createTransformer(options) {
    const { getCacheKey, process: compile, ...transformer } = swc.createTransformer(options);
    return {
      ...transformer,
      getCacheKey: (source, path, more) => getCacheKey(switchable(source), path, more),
      process: (source, path, more) =>
        compile(path.includes('/lib/presentation/') ? switchable(source) : source, path, more),
      processAsync: undefined,
    };
  },
};
