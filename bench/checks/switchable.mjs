import swc from '@swc/jest';

/** The places that refuse: `enforce('B07', …)`, or `throw checkFailed('B07', …)`. */
export const refusals =
  /\b(?<call>enforce|(?:throw|return) (?:checkFailed|unavailable|unknownStatus))\(\s*(?<check>'[A-Z]\d\d'|\w+(?:\.\w+)*)(?=,)/g;

/** The place in a source, such as `x5c/chain.ts:12`. @param {string} path @param {string} before */
export function placeOf(path, before) {
  return `${path.split('/lib/verify/')[1]}:${before.split('\n').length}`;
}

/** Asks environment.mjs at every place whether it may refuse. @param {string} source @param {string} path */
function switchable(source, path) {
  if (!path.includes('/lib/verify/')) return source;
  if (path.endsWith('/enforce.ts')) {
    return source.replace(
      'if (!passes) throw',
      'if (!passes && !globalThis.isOff?.(check, globalThis.place)) throw',
    );
  }
  return source.replaceAll(refusals, (all, call, check, at) => {
    const place = JSON.stringify(placeOf(path, source.slice(0, at)));
    if (call === 'enforce') return all.replace('enforce', `(globalThis.place = ${place}, enforce)`);
    return `if (!globalThis.isOff?.(${check}, ${place})) ${all}`;
  });
}

/** @swc/jest, with every check of lib/verify made so that it can be switched off. */
export default {
  createTransformer(options) {
    const { getCacheKey, process: compile, ...transformer } = swc.createTransformer(options);
    return {
      ...transformer,
      getCacheKey: (source, path, more) => getCacheKey(switchable(source, path), path, more),
      process: (source, path, more) => compile(switchable(source, path), path, more),
      processAsync: undefined,
    };
  },
};
