import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { said } from '../said.js';
import { steps } from './flows.js';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Starts the service, the provider and each contender, all of them in processes of their own, for as long as `work` takes. What is `given` a contender is told. */
export async function withContenders(names, work, given = {}) {
  const children = [];
  let heard = ''; // warnings, unless it fails
  const start = async (name, argument) => {
    const child = fork(file(name), [JSON.stringify(argument)], {
      env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr.on('data', (chunk) => (heard += chunk));
    children.push(child);
    return { child, ...(await said(child)) };
  };
  try {
    const { url: serviceUrl } = await start('../load/service.js');
    const { url: opUrl } = await start('op.js');
    const contenders = [];
    for (const name of names) {
      contenders.push({ name, ...(await start('serve.js', { app: name, serviceUrl, opUrl, ...given })) });
    }
    return await work(contenders);
  } catch (error) {
    error.message += `\n${heard}`;
    throw error;
  } finally {
    for (const child of children) {
      if (child.exitCode === null && child.signalCode === null)
        await Promise.all([once(child, 'exit'), child.kill()]);
    }
  }
}

export const allContenders = Object.keys(steps);
