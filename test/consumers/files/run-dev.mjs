import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { probe, visit } from './visit.cjs';

// Runs the app by `pidgate dev`, as a reader would. Somebody who has verified nothing asks for the page in many ways, where
// a text of it is named; then Erika walks through the app, and Leon, who is 17. With a base path, a proxy takes it off.

const [file, path, secret = '', base = ''] = process.argv.slice(2);

async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}
const free = createServer();
const port = await listen(free);
await new Promise((resolve) => free.close(resolve));

const proxy = createServer((req, res) => {
  if (!req.url.startsWith(`${base}/`)) {
    res.writeHead(404).end();
    return;
  }
  const { method, headers } = req;
  const sent = request(
    { host: '127.0.0.1', port, method, headers, path: req.url.slice(base.length) },
    (reply) => {
      res.writeHead(reply.statusCode, reply.headers);
      reply.pipe(res);
    },
  );
  sent.on('error', () => res.destroy());
  req.pipe(sent);
});
const outside = base === '' ? undefined : `http://localhost:${await listen(proxy)}${base}`;

const dev = spawn('pidgate', ['dev', file], {
  env: {
    ...process.env,
    NODE_ENV: 'development',
    PORT: String(port),
    ...(outside !== undefined && { APP_URL: outside }),
  },
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
try {
  const url = await Promise.race([address, ended]).then((own) => outside ?? own);
  const open = secret === '' ? [] : await probe(url, path, secret);
  console.log(`open to nobody: ${open.join(', ') || 'never'}`);
  console.log(`Erika: ${await visit(url, path)}`);
  console.log(`Leon: ${(await visit(url, path, 'minor')).slice(0, 3)}`);
} finally {
  dev.kill('SIGINT');
  proxy.close();
  proxy.closeAllConnections();
}
