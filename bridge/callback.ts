import type { Job } from './jobs.js';
import { secureUrl } from './urls.js';
import { parse, readText } from './verifiers/call.js';
import { reasonOf, within } from './within.js';

export const callbackMs = 20_000;
const maxBytes = 64 * 1024;

/** What came of a callback: it is final, or it may be sent once more. */
export type Delivery = { readonly outcome: Job['outcome'] & {} } | { readonly again: string };

/** Sends the answer of a job to its app: form-urlencoded, with the state, as the interface has it. */
export async function sendCallback({ redirectUrl, state, answer }: Job): Promise<Delivery> {
  const { nonce: _, ...fields } = answer as Readonly<Record<string, string>>;
  const body = new URLSearchParams({ ...fields, state });
  try {
    return await within(callbackMs, async (signal) => {
      const how = {
        method: 'POST',
        headers: { accept: 'application/json' },
        body,
        signal,
        redirect: 'manual',
      } as const;
      const reply = await fetch(redirectUrl, how);
      if (reply.status === 200) return { outcome: readReply(await readText(reply, maxBytes)) };
      await reply.body?.cancel(); // a page for people, which may be large
      const isLater = reply.status >= 500 || reply.status === 429;
      return isLater
        ? { again: `answered ${reply.status}` }
        : { outcome: { refused: `answered ${reply.status}` } };
    });
  } catch (error) {
    return { again: `could not be reached (${reasonOf(error)})` };
  }
}

/** A body that was answered with 200 was taken: it is not sent again, whatever the reply says. */
function readReply(text: string | undefined): Job['outcome'] & {} {
  try {
    return { redirectUri: secureUrl(String(parse(text ?? '')?.['redirect_uri'])) };
  } catch {
    return { refused: 'answered 200 without a redirect_uri that is https' };
  }
}
