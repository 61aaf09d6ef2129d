import type { ScenarioId } from '../scenarios/catalogue.js';
import { errorCallback } from './error-callback.js';
import { type JobAnswer, type Job, tellWatchers } from './jobs.js';
import type { ReplyOutcome } from './reply.js';

/** Why an answer was not taken: another one was before it, or there is nowhere to send it. */
export type NotTaken = 'answered' | 'no_redirect_url';

/** What is to be sent for a job; `id` tells two answers apart. */
export interface WalletReply {
  readonly id: ScenarioId | 'wallet_error';
  readonly body: () => Promise<URLSearchParams>;
}

export interface Answers {
  take(job: Job, reply: WalletReply): Promise<ReplyOutcome | NotTaken>;
  /** Sends the same content once more, where the last delivery failed. */
  again(job: Job): Promise<ReplyOutcome | NotTaken>;
  /** Tells the app that nobody answered in time. Returns where the person goes on: the app's home, where it knew. */
  expire(job: Job): Promise<string>;
}

/**
 * The first answer stands. The same one again joins a delivery under way, tells what came of it, or, where it
 * failed, sends the same body once more.
 */
export function createAnswers(send: (job: Job, url: string, body: string) => Promise<ReplyOutcome>): Answers {
  return {
    take,
    async again(job) {
      const { answer } = job;
      if (answer === undefined) return 'answered';
      return await take(job, { id: answer.id, body: async () => new URLSearchParams(await answer.body) });
    },
    async expire(job) {
      const outcome = await take(job, errorReply(job, 'timeout'));
      if (typeof outcome === 'object' && outcome.ok && outcome.redirectUri !== undefined)
        return outcome.redirectUri;
      return new URL('/', job.account.redirectUrl).href;
    },
  };

  async function take(job: Job, { id, body }: WalletReply): Promise<ReplyOutcome | NotTaken> {
    const before = job.answer;
    if (before !== undefined && before.id !== id) return 'answered';
    if (before !== undefined && before.outcome?.ok !== false) return await before.sending;
    const url = job.account.redirectUrl;
    if (url === undefined) return 'no_redirect_url';
    const text = before?.body ?? body().then(String);
    const answer: JobAnswer = {
      id,
      body: text,
      sending: text.then(async (callback) => await send(job, url, callback)),
    };
    job.answer = answer;
    try {
      answer.outcome = await answer.sending;
      return answer.outcome;
    } catch (error) {
      delete job.answer;
      throw error;
    } finally {
      tellWatchers(job);
    }
  }
}

export function errorReply({ request }: Job, id: WalletReply['id']): WalletReply {
  const { state, wallet } = request;
  return { id, body: async () => await Promise.resolve(errorCallback(id, wallet?.state ?? state)) };
}
