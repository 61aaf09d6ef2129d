import type { ScenarioId } from '../scenarios/catalogue.js';
import type { Job } from './jobs.js';

const decisions: Partial<Record<ScenarioId, readonly [what: string, line: string]>> = {
  declined: ['person declines', 'The person declines.'],
  wrong_pin: ['person gives up', 'The person does not know the PIN, and gives up.'],
  card_blocked: ['card blocked', 'Three wrong PINs have blocked the card.'],
};

/** Notes in the timeline what the person does at the wallet. */
export function noteDecision({ flow }: Job, agreed: boolean, scenario: ScenarioId): void {
  const [what, line] = agreed ? ['person agrees', 'The person agrees.'] : (decisions[scenario] ?? []);
  if (what !== undefined && line !== undefined) flow.add({ what, from: 'person', to: 'wallet', line });
}
