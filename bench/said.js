import { once } from 'node:events';

/** What a process says next; that it ended instead is an error. */
export async function said(child) {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${child.spawnargs.find((arg) => arg.endsWith('.js'))} ended`);
  });
  try {
    return (await Promise.race([once(child, 'message', { signal }), ended]))[0];
  } finally {
    over.abort();
  }
}

/** The reply of a process to a message. */
export async function ask(child, message) {
  const reply = said(child);
  child.send(message);
  return await reply;
}
