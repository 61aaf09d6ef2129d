import { type Connection, openConnection, type Reply } from './connection.js';
import type { Progress } from './progress.js';
import type { Random } from './random.js';
import { hangs, type Shot, tooSlow } from './shot.js';

/** How a slow request goes on after its pauses. */
export type Ending = 'goes on' | 'closes' | 'resets' | 'stops sending';
const endings = ['goes on', 'closes', 'resets', 'stops sending'] as const;

/** A request without a reply for so long hangs. */
const patience = 60_000;

/** Connections that may be used again, as a client's are. */
export interface Pool {
  take(): Promise<{ readonly connection: Connection; readonly used: boolean }>;
  give(connection: Connection): void;
}

export function createPool(port: number): Pool {
  const idle: Connection[] = [];
  return {
    async take() {
      for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
        if (one.open) return { connection: one, used: true };
      }
      return { connection: await openConnection(port), used: false };
    },
    give(connection) {
      if (connection.open) idle.push(connection);
    },
  };
}

/** Sends it whole, and answers with all replies; undefined stands for a connection that closed instead. */
export async function fire(port: number, pool: Pool, shot: Shot): Promise<(Reply | undefined)[]> {
  if (shot.alone) return await alone(port, shot);
  for (;;) {
    const { connection, used } = await pool.take();
    connection.send(shot.bytes);
    const reply = await inTime(connection.reply(shot.method));
    if (reply === undefined && used) continue; // the server had closed what was idle
    if (reply?.status === hangs) await connection.abort(true);
    else if (reply !== undefined && !/\r\nconnection: close/i.test(reply.head)) pool.give(connection);
    return [reply];
  }
}

async function alone(port: number, shot: Shot): Promise<(Reply | undefined)[]> {
  const connection = await openConnection(port);
  connection.send(shot.bytes);
  if (shot.finishes) connection.finish();
  const replies = await repliesOn(connection, shot);
  await connection.abort(false);
  return replies;
}

/** One for each request, up to one after which there is none. */
async function repliesOn(connection: Connection, shot: Shot): Promise<(Reply | undefined)[]> {
  const replies: (Reply | undefined)[] = [];
  while (replies.length < shot.requests) {
    const reply = await inTime(connection.reply(shot.method));
    replies.push(reply);
    if (reply?.status === hangs || reply?.status === tooSlow) break;
  }
  return replies;
}

/** Sends it in parts, and lets others go first between them; then goes on, or breaks off. */
export async function fireSlowly(
  port: number,
  shot: Shot,
  random: Random,
  progress: Progress,
): Promise<{ ending: Ending; replies: (Reply | undefined)[] }> {
  const ending = random.pick(endings);
  const connection = await openConnection(port);
  const cuts = Array.from({ length: 1 + random.below(4) }, () => random.below(shot.bytes.length));
  let sent = 0;
  for (const cut of cuts.sort((a, b) => a - b)) {
    connection.send(shot.bytes.subarray(sent, cut));
    sent = cut;
    await progress.after(1 + random.below(40));
  }
  const replies: (Reply | undefined)[] = [];
  if (ending === 'goes on' || ending === 'stops sending') {
    if (ending === 'goes on') connection.send(shot.bytes.subarray(sent));
    if (ending === 'stops sending' || shot.finishes) connection.finish();
    replies.push(...(await repliesOn(connection, shot)));
  }
  await connection.abort(ending === 'resets');
  return { ending, replies };
}

/** What stands for an answer that does not come, though the connection stays open. */
const hanging: Reply = { status: hangs, head: '', body: '' };

async function inTime(reply: Promise<Reply | undefined>): Promise<Reply | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(resolve, patience, hanging);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}
