import { once } from 'node:events';
import { get } from 'node:http';

// Preloaded into every process of the app (`--import …/preload.mjs?http://127.0.0.1:4747`), so into npm, compilers and
// workers too: it prints nothing, waits for a second at most, and does nothing where that sandbox does not run.

const sandbox = new URL(import.meta.url).search.slice(1);
// The same from lib, where tests run it, as from dist.
const join = new URL('../../../dist/dev/sandbox/join.js', import.meta.url);

const trust = await readTrust().catch(() => undefined);
if (trust !== undefined && new URL(sandbox).origin === sandbox) {
  const { joinSandbox } = /** @type {typeof import('../sandbox/join.js')} */ (await import(join.href));
  joinSandbox(sandbox, trust);
}

/** @returns {Promise<import('../../types/trust.js').Trust | undefined>} */
async function readTrust() {
  const request = get(new URL('/trust.json', sandbox), { agent: false, signal: AbortSignal.timeout(1000) });
  request.on('error', () => {}); // one after the reply, which ends the body too
  const [response] = /** @type {[import('node:http').IncomingMessage]} */ (await once(request, 'response'));
  const body = (await response.toArray()).join('');
  if (response.statusCode !== 200) return undefined;
  return /** @type {import('../../types/trust.js').Trust} */ (JSON.parse(body));
}
