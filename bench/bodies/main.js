import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { machine, table } from '../report.js';
import { ask, said } from '../said.js';

// 2,000 callbacks that never end: what they weigh in the app, and how long the honest ones wait meanwhile.

const open = 2_000;
const honest = 50;
const app = fileURLToPath(new URL('app.js', import.meta.url));

/** So many bytes in pieces of that size, as chunks of a body that goes on. */
const pieces = (bytes, size) =>
  Buffer.from(`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(Math.floor(bytes / size)));

const floods = {
  'no byte of a body': Buffer.alloc(0),
  '60 kB each, in pieces of 15 kB': pieces(60_000, 15_000),
  '60 kB each, in pieces of 1 kB': pieces(60_000, 1_000),
  'a body each, in 400 pieces of a byte': pieces(400, 1),
};

const rows = [];
for (const [name, body] of Object.entries(floods)) rows.push([name, ...(await measure(body))]);
console.log(`${machine()}; ${open} callbacks that never end, and ${honest} honest ones beside them\n`);
console.log(
  table(
    [
      'unfinished',
      'answered 408',
      'MB held more than quiet',
      'MB resident more',
      'honest 200',
      'slowest honest, ms',
    ],
    rows,
  ),
);

async function measure(body) {
  const child = fork(app, [], { execArgv: ['--expose-gc'], env: { ...process.env, NODE_NO_WARNINGS: '1' } });
  const { port } = await said(child);
  const states = [];
  for (let made = 0; made < honest; made += 1) {
    const [{ state }] = await Promise.all([said(child), start(port)]);
    states.push(state);
  }
  const quiet = await ask(child, 'weigh');

  const head =
    'POST /identity/callback HTTP/1.1\r\nHost: 127.0.0.1:2\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
    'Transfer-Encoding: chunked\r\n\r\n';
  const sockets = [];
  const statuses = [];
  const times = [];
  const served = [];
  const serve = async () => {
    const began = performance.now();
    served.push(await callback(port, states.pop()));
    times.push(performance.now() - began);
  };
  for (let made = 1; made <= open; made += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.on('data', (some) => statuses.push(String(some).slice(9, 12)));
    socket.write(Buffer.concat([Buffer.from(head), body]));
    sockets.push(socket);
    if (made % 100 === 0) await serve();
  }
  while (states.length > 0) await serve();
  const most = await ask(child, 'weigh');
  for (const socket of sockets) socket.destroy();
  await Promise.all([once(child, 'exit'), child.kill()]);

  const megabytes = (figure) => ((most[figure] - quiet[figure]) / 2 ** 20).toFixed(0);
  return [
    statuses.filter((status) => status === '408').length,
    megabytes('held'),
    megabytes('resident'),
    served.filter((status) => status === 200).length,
    Math.max(...times).toFixed(0),
  ];
}

async function start(port) {
  const headers = { host: '127.0.0.1:2', 'sec-fetch-site': 'same-origin', accept: 'application/json' };
  const { status } = await post(port, '/identity/start', headers, '');
  if (status !== 200) throw new Error(`The start answered ${status}`);
}

async function callback(port, state) {
  const headers = { host: '127.0.0.1:2', 'content-type': 'application/x-www-form-urlencoded' };
  const { status } = await post(port, '/identity/callback', headers, `state=${state}&presentation=good`);
  return status;
}

/** By hand: fetch sets no Host. */
async function post(port, path, headers, body) {
  const socket = connect(port, '127.0.0.1');
  const lines = Object.entries({
    ...headers,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n${body}`,
  );
  let reply = '';
  for await (const some of socket) reply += some;
  return { status: Number(reply.slice(9, 12)) };
}
