import { configInvalid } from '../../../errors.js';
import { nearMiss } from '../../../internal/validate.js';
import { germanIssuer } from '../profile.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import type { PlantedFault } from '../issuers/faults.js';
import { type ScenarioId, isScenario, scenarioIds, scenarioOf } from './catalogue.js';

/** Returns the id of a scenario; anything else is `config_invalid`, with the one that was probably meant. */
export function checkScenario(id: unknown): ScenarioId {
  if (isScenario(id)) return id;
  const meant = nearMiss(String(id), scenarioIds);
  throw configInvalid(
    `There is no scenario with that name. ${meant === undefined ? 'GET /simulate lists them.' : `Did you mean ${meant}?`}`,
  );
}

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

/** Why a flow cannot play a scenario; undefined where it can. */
export function whyNotPlayable(
  id: ScenarioId,
  { issuer, derived }: ReceivedProveRequest,
): string | undefined {
  const { needs } = scenarioOf(id);
  const asksDerived = derived?.nationality !== undefined;
  const isStated = issuer === germanIssuer && asksDerived;
  if (needs === 'derived' && !asksDerived) return 'This question has no derived attribute.';
  if (needs === 'keys' && issuer === germanIssuer && !isStated) {
    return `${issuer} signs with certificates, so no keys are fetched.`;
  }
  if (needs === 'status' && isStated) {
    return 'The service states the answer itself, and its statement has no status.';
  }
  return undefined;
}
