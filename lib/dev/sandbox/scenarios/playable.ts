import { configInvalid } from '../../../errors.js';
import { nearMiss } from '../../../internal/validate.js';
import { germanIssuer } from '../profile.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import type { PlantedFault } from '../issuers/faults.js';
import { type ScenarioId, isScenario, scenarioIds, scenarioOf } from './catalogue.js';

/** Returns the id of a scenario; anything else is `config_invalid`, with the one that was probably meant. */
export function checkScenario(id: unknown, isWallet = false): ScenarioId {
  if (isScenario(id) && isWallet && isOfService(id))
    throw configInvalid(`The scenario ${id} ${ofServiceAlone}.`);
  if (isScenario(id)) return id;
  const meant = nearMiss(String(id), scenarioIds);
  throw configInvalid(
    `There is no scenario with that name. ${meant === undefined ? 'docs/sandbox.md lists them.' : `Did you mean ${meant}?`}`,
  );
}

const ofService: ReadonlySet<ScenarioId> = new Set([
  'timeout',
  'card_blocked',
  'service_error',
  'callback_twice',
  'callback_twice_at_once',
  'callback_late',
  'callback_lost',
  'slow_callback',
]);

const ofServiceAlone = 'belongs to a service, and this app asks wallets itself';

/** What only a service does: its replies, its deliveries, its words, what it derives, and keys that are fetched. */
const isOfService = (id: ScenarioId): boolean => {
  const { phase, needs } = scenarioOf(id);
  return phase === 'prove' || needs === 'derived' || needs === 'keys' || ofService.has(id);
};

const unseen: ReadonlySet<ScenarioId> = new Set([
  'both_fields',
  'empty_body',
  'malformed_state',
  'foreign_state',
  'callback_lost',
]);

/** False where an app never gets the callback, or refuses it before it looks at the presentation. */
export function reachesChecks(id: ScenarioId): boolean {
  return !unseen.has(id);
}

/** True for a scenario that is in the presentation itself. */
export function isFault(id: ScenarioId): id is ScenarioId & PlantedFault {
  return scenarioOf(id).phase === 'proof';
}

/** What of a request decides what it can play; `wallet` where an app asks a wallet itself. */
export interface Asked extends Pick<ReceivedProveRequest, 'issuer' | 'derived'> {
  readonly wallet?: object;
}

/** Why a flow cannot play a scenario; undefined where it can. */
export function whyNotPlayable(id: ScenarioId, { issuer, derived, wallet }: Asked): string | undefined {
  if (wallet !== undefined && isOfService(id)) return `It ${ofServiceAlone}.`;
  const { needs } = scenarioOf(id);
  const asksDerived = derived?.nationality !== undefined;
  const isStated = issuer === germanIssuer && asksDerived;
  if (needs === 'derived' && !asksDerived)
    return 'It needs a question with derived: { nationality }, which a service answers with yes or no.';
  if (needs === 'keys' && issuer === germanIssuer && !isStated) {
    return `${issuer} signs with certificates, so no keys are fetched.`;
  }
  if (needs === 'status' && isStated) {
    return 'The service states the answer itself, and its statement has no status.';
  }
  return undefined;
}
