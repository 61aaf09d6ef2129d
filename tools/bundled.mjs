/**
 * The packages that the build carries inside the one file of lib that imports them, because only the sandbox uses them:
 * an app that runs in production does not install it. jose has no CommonJS form besides, which jest cannot load.
 */
export const bundled = /** @type {const} */ ({
  jose: 'lib/dev/sandbox/jose.ts',
});
