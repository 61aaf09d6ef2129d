import type { Job } from './jobs.js';
import { secureUrl } from './urls.js';
import { parse, readText } from './verifiers/call.js';
import { within } from './within.js';

export const callbackMs = 20_000;
const maxBytes = 64 * 1024;

/** What came of a callback: it is final, or it may be sent once more. */
export type Delivery = { readonly outcome: Job['outcome'] & {} } | { readonly again: string };

/** Sends the answer of a job to its app: form-urlencoded, with the state, as the interface has it. */
export async function sendCallback({ redirectUrl, state, answer }: Job): Promise<Delivery> {
  const { nonce: _, ...fields } = answer as Readonly<Record<string, string>>;
  const body = new URLSearchParams({ ...fields, state });
  try {
    const { status, text } = await within(callbackMs, async (signal) => {
      const how = {
        method: 'POST',
        headers: { accept: 'application/json' },
        body,
        signal,
        redirect: 'manual',
      } as const;
      const reply = await fetch(redirectUrl, how);
      return { status: reply.status, text: await readText(reply, maxBytes) };
    });
    if (status >= 500 || status === 429) return { again: `answered ${status}` };
    return { outcome: status === 200 ? readReply(text) : { refused: `answered ${status}` } };
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    return { again: `could not be reached (${cause?.code ?? message})` };
  }
}

/** A body that was answered with 200 was taken: it is not sent again, whatever the reply says. */
function readReply(text: string): Job['outcome'] & {} {
  try {
    return { redirectUri: secureUrl(String(parse(text)?.['redirect_uri'])) };
  } catch {
    return { refused: 'answered 200 without a redirect_uri that is https' };
  }
}
