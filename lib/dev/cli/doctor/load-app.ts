import { pathToFileURL } from 'node:url';
import { IdentityError } from '../../../errors.js';
import { addressesOf } from '../addresses.js';
import { isListening as answers, waitForPort as untilAnswers } from '../wait-for-port.js';
import { findEntry, nodeArguments } from '../entry.js';
import { CliError } from '../cli-error.js';
import type { Terminal } from '../terminal.js';
import { ask } from './http.js';
import { type Inside, enter } from './load-in-process.js';

/** Loads the file that starts the app into this process, and finds the app in it. It runs with this environment. */
export async function loadApp(entry: string, terminal: Terminal): Promise<Inside> {
  const { cwd, env, stderr } = terminal;
  const file = findEntry(cwd, entry);
  const { port } = addressesOf(undefined, env);
  if (await answers(port)) {
    throw new CliError(`Port ${port} is taken: stop the app first, or choose another port with PORT=3001.`);
  }
  const [flag, loader] = nodeArguments(file, cwd);
  if (flag === '--import' && loader !== undefined) await import(loader);
  await import(pathToFileURL(file).href).catch(tellNoSecret);
  const late = new AbortController();
  await untilAnswers(port, terminal, late.signal, () => {
    stderr.write(`pidgate: nothing answers on port ${port} yet. The app must listen on PORT.\n`);
    late.abort();
  }).catch(() => {
    throw new CliError(`The app does not listen on port ${port}: it must read PORT.`);
  });
  return await enter(
    async (path, question) => await ask(new URL(path, `http://localhost:${port}`), question),
  );
}

/** What the app throws may hold a DSN or a key. The kit's own sentences hold neither. */
function tellNoSecret(error: unknown): never {
  if (error instanceof IdentityError) throw error;
  const kind = error instanceof Error ? ` (${error.constructor.name})` : '';
  throw new CliError(`The app fails while it is loaded${kind}. Start it by itself to see why.`);
}
