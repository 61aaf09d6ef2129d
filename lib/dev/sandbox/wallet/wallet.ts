import { type Decision, errorOf, sameDecision } from './decision.js';
import type { Issuer } from '../issuers/sandbox-issuer.js';
import type { Answer, Job } from '../service/jobs.js';
import type { Outcome } from '../service/reply.js';

/** Why a decision was not taken: another one was before it, or there is nowhere to send it. */
export type NotTaken = 'decided' | 'no_redirect_url';

export interface Wallet {
  decide(job: Job, decision: Decision): Promise<Outcome | NotTaken>;
}

/**
 * The first decision stands. The same one again joins a delivery under way, tells what came of it, or, where it
 * failed, sends the same body once more.
 */
export function createWallet(issuer: Issuer, send: (url: string, body: string) => Promise<Outcome>): Wallet {
  return {
    async decide(job, decision) {
      const before = job.answer;
      if (before !== undefined && !sameDecision(before.decision, decision)) return 'decided';
      if (before !== undefined && before.outcome?.ok !== false) return await before.sending;
      const url = job.account.redirectUrl;
      if (url === undefined) return 'no_redirect_url';
      const body = before?.body ?? callbackBody(job, decision);
      const answer: Answer = { decision, body, sending: body.then(async (text) => await send(url, text)) };
      job.answer = answer;
      try {
        answer.outcome = await answer.sending;
        return answer.outcome;
      } catch (error) {
        delete job.answer;
        throw error;
      }
    },
  };

  async function callbackBody({ request }: Job, decision: Decision): Promise<string> {
    const { state } = request;
    if (decision.kind === 'approve') {
      return new URLSearchParams({ presentation: await issuer.present(request), state }).toString();
    }
    const [error, error_description] = errorOf(decision);
    return new URLSearchParams({ error, error_description, state }).toString();
  }
}
