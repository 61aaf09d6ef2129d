import { Duplex } from 'node:stream';
import type { AppMachine } from './app.js';
import { outside, placeOn, schedule } from './virtual.js';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The rest of the body comes so many milliseconds later. */
  readonly hold?: number | undefined;
}

/** What came back, or nothing, because the line broke. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export interface Exchange {
  readonly reply: Promise<Reply | undefined>;
  /** The line breaks now. */
  cut(): void;
}

/** The server's end of a line without a network. */
export class Line extends Duplex {
  readonly #chunks: Buffer[] = [];
  readonly #answer: (reply: Reply | undefined) => void;

  constructor(answer: (reply: Reply | undefined) => void) {
    super();
    this.#answer = answer;
    this.on('error', () => undefined);
  }

  override _read(): void {
    // What was asked has been pushed as a whole.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  /** The server has answered. A line that is not destroyed keeps its parser, and with that everything it has read. */
  destroySoon(): void {
    this.end(() => {
      this.#tell(parse(Buffer.concat(this.#chunks).toString()));
      // As a socket does: never within the server's own end of the answer, on no version of Node.
      schedule(0, () => this.destroy());
    });
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.lose();
    done(error);
  }

  /** Nothing more will come. */
  lose(): void {
    this.#tell(undefined);
  }

  #tell(reply: Reply | undefined): void {
    outside(() => schedule(0, () => this.#answer(reply)));
  }
}

/** Sends a request to a server that listens nowhere. */
export function exchange(
  machine: AppMachine,
  { method, path, headers = {}, body = '', hold }: Asked,
): Exchange {
  let answer: (reply: Reply | undefined) => void = () => undefined;
  const reply = new Promise<Reply | undefined>((resolve) => (answer = resolve));
  const line = new Line((told) => answer(told));
  machine.lines.add(line);
  line.once('close', () => machine.lines.delete(line));
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost:3000',
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === 'POST' ? [`Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  const there = placeOn(machine);
  there(() => {
    machine.server.emit('connection', line);
    line.push(`${lines.join('\r\n')}\r\n\r\n${hold === undefined ? body : ''}`);
  });
  if (hold !== undefined) outside(() => schedule(hold, () => there(() => line.push(body))));
  const cut = (): void => {
    answer(undefined);
    there(() => line.destroy());
  };
  return { reply, cut };
}

function parse(text: string): Reply | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const header = (name: string): string | undefined => headers.find(([other]) => other === name)?.[1];
  const status = Number(first.split(' ')[1]);
  const rest = text.slice(end + 4);
  if (header('transfer-encoding') === 'chunked') {
    if (!rest.endsWith('0\r\n\r\n')) return undefined;
    return { status, headers, body: unchunked(rest) };
  }
  const length = Number(header('content-length') ?? 0);
  return Buffer.byteLength(rest) < length ? undefined : { status, headers, body: rest };
}

function unchunked(text: string): string {
  let body = '';
  let rest = Buffer.from(text);
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = parseInt(rest.subarray(0, end).toString(), 16);
    if (!(size > 0)) return body;
    body += rest.subarray(end + 2, end + 2 + size).toString();
    rest = rest.subarray(end + 4 + size);
  }
}
