/**
 * The packages that the build carries inside the one file of lib that imports them, because only the sandbox uses them:
 * an app that runs in production installs neither. jose has no CommonJS form besides, which jest cannot load.
 */
export const bundled = /** @type {const} */ ({
  jose: 'lib/dev/sandbox/jose.ts',
  uqr: 'lib/dev/sandbox/pages/qr-code.ts',
});
