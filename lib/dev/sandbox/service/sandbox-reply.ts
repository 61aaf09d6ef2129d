import type { ScenarioId } from '../scenarios/catalogue.js';
import { isFault } from '../scenarios/playable.js';
import { type WalletReply, errorReply } from './answers.js';
import { isErrorScenario } from './error-callback.js';
import type { Job } from './jobs.js';
import type { Service } from './service.js';

/** What `xx-sandbox` sends: it has no wallet, so the service makes the presentation itself. */
export function sandboxReply({ sandboxIssuer }: Service, job: Job, id: ScenarioId): WalletReply {
  if (isErrorScenario(id)) return errorReply(job, id);
  const { request, person } = job;
  return {
    id,
    body: async () => {
      const fault = isFault(id) ? id : undefined;
      const presentation = await sandboxIssuer.present({ request, person, fault });
      return new URLSearchParams({ presentation, state: request.state });
    },
  };
}
