import type { Job } from './jobs.js';
import { secureUrl } from './urls.js';
import { parse, readText, reasonOf } from './verifiers/call.js';

export const callbackMs = 20_000;
const maxBytes = 64 * 1024;

/** What came of a callback: it is final, or it may be sent once more. */
export type Delivery = { readonly outcome: Job['outcome'] & {} } | { readonly again: string };

/** Sends the answer of a job to its app: form-urlencoded, with the state, as the interface has it. */
export async function sendCallback({ redirectUrl, state, answer }: Job): Promise<Delivery> {
  const { nonce: _, ...fields } = answer as Readonly<Record<string, string>>;
  const body = new URLSearchParams({ ...fields, state });
  try {
    const reply = await fetch(redirectUrl, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(callbackMs),
      redirect: 'manual',
    });
    if (reply.status === 200) return { outcome: readReply(await readText(reply, maxBytes)) };
    await reply.body?.cancel(); // a page for people, which may be large
    const isLater = reply.status >= 500 || reply.status === 429;
    const answered = `it answered ${reply.status}`;
    return isLater ? { again: answered } : { outcome: { refused: answered } };
  } catch (error) {
    return { again: `it could not be reached: ${reasonOf(error)}` };
  }
}

/** A reply that came whole is not asked for again, whatever is in it. */
function readReply(text: string | undefined): Job['outcome'] & {} {
  const redirectUri = secureUrl.safeParse(parse(text ?? '')?.['redirect_uri']);
  if (redirectUri.success) return { redirectUri: redirectUri.data };
  return { refused: 'it answered 200 without a redirect_uri that is https' };
}
