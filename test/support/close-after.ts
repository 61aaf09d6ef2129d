import { afterAll, afterEach, beforeEach } from '@jest/globals';

type Close = () => Promise<void>;

const open: { readonly forTest: Close[]; readonly forFile: Close[] } = { forTest: [], forFile: [] };
let inTest = false;

beforeEach(() => {
  inTest = true;
});
afterEach(async () => {
  inTest = false;
  await closeAll(open.forTest);
});
afterAll(async () => await closeAll(open.forFile));

async function closeAll(closing: Close[]): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
}

/**
 * Closes what a test opened when that test is over, and what `beforeAll` opened after the file's last test; the last
 * one first. Returns the function that closes it earlier: it is closed once.
 */
export function closeAfter(close: () => unknown): Close {
  let closed: Promise<unknown> | undefined;
  const once: Close = async () => {
    closed ??= Promise.resolve(close());
    await closed;
  };
  (inTest ? open.forTest : open.forFile).push(once);
  return once;
}
