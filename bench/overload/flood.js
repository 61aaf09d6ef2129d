import { connect } from 'node:net';

// Starts, so many in a second, whether the ones before were answered or not: an open loop over plain sockets, since a
// client that is dearer than the app's refusal would measure itself. Each start is a new visitor, without a cookie.

const { port, most } = JSON.parse(process.argv[2]);
const head = [
  'POST /identity/start?returnTo=/club&form=kit HTTP/1.1',
  `host: 127.0.0.1:${port}`,
  'accept: text/html',
  'sec-fetch-site: same-origin',
  'content-length: 0',
];
const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`);

let found = fresh();
const idle = [];
let open = 0;

function fresh() {
  return { sent: 0, unsent: 0, broken: 0, times: { 303: [], 503: [] } };
}

/** A browser's connection: one request at a time, kept for the next visitor. */
function newSocket() {
  open += 1;
  const socket = connect(port, '127.0.0.1').setNoDelay(true);
  let head = '';
  let left = 0; // of the reply's body
  socket.on('data', (chunk) => {
    const text = chunk.toString('latin1');
    if (left > 0) left -= text.length;
    else {
      head += text;
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      left = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4);
    }
    if (left > 0) return;
    const status = head.slice(9, 12);
    head = '';
    (found.times[status] ??= []).push(performance.now() - socket.since);
    socket.since = undefined;
    idle.push(socket);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    open -= 1;
    if (socket.since !== undefined) found.broken += 1;
    const at = idle.indexOf(socket);
    if (at !== -1) idle.splice(at, 1);
  });
  return socket;
}

function sendOne() {
  const socket = idle.pop() ?? (open < most ? newSocket() : undefined);
  if (socket === undefined) {
    found.unsent += 1;
    return;
  }
  found.sent += 1;
  socket.since = performance.now();
  socket.write(start);
}

async function flood({ perSecond, seconds }) {
  found = fresh();
  const began = performance.now();
  let due = 0;
  for (;;) {
    const past = (performance.now() - began) / 1_000;
    if (past >= seconds) break;
    for (; due < past * perSecond; due += 1) sendOne();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return { ...found, seconds: (performance.now() - began) / 1_000 };
}

process.on('message', (order) => void flood(order).then((answer) => process.send(answer)));
process.on('disconnect', () => process.exit());
process.send({ ready: true });
