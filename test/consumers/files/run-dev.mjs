import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { visit } from './visit.cjs';

// Runs the app by `pidgate dev`, as a reader would, and one person walks through it.

const [file, path] = process.argv.slice(2);
const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));

const dev = spawn('pidgate', ['dev', file], {
  env: { ...process.env, NODE_ENV: 'development', PORT: String(port) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(dev, 'exit').then(([code]) => {
  throw new Error(`pidgate dev ended with ${code}.`);
});
ended.catch(() => undefined);
let printed = '';
const address = new Promise((resolve) => {
  dev.stdout.on('data', (chunk) => {
    printed += chunk;
    const url = /Open +(http:\S+)[^]*Play/.exec(printed)?.[1];
    if (url !== undefined) resolve(url);
  });
});
const url = await Promise.race([address, ended]);
console.log(await visit(url, path));
dev.kill('SIGINT');
