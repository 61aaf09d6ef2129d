import type { ScenarioId } from '../scenarios/catalogue.js';

/** The interface names no codes for error callbacks; these are the sandbox's own, with their descriptions. */
const errors: Partial<Record<ScenarioId, readonly [error: string, description: string]>> = {
  declined: ['user_declined', 'The person declined to share their identity.'],
  timeout: ['wallet_timeout', 'The wallet did not answer in time.'],
  wrong_pin: ['wrong_pin', 'The PIN was wrong.'],
  card_blocked: ['card_blocked', 'The identity card is blocked after three wrong PINs.'],
  credential_missing: ['identity_unavailable', 'The wallet holds no identity that fits the request.'],
  service_error: ['error_internal', 'The service failed while verifying the identity.'],
  unknown_error_code: ['sandbox_code_from_tomorrow', 'An error that did not exist when the app was written.'],
};

const unknown = ['verification_failed', 'The identity could not be verified.'] as const;

export function isErrorScenario(id: ScenarioId): boolean {
  return Object.hasOwn(errors, id);
}

/** The parameters of an error callback. */
export function errorCallback(id: ScenarioId | 'wallet_error', state: string): URLSearchParams {
  const [error, error_description] = (id === 'wallet_error' ? undefined : errors[id]) ?? unknown;
  return new URLSearchParams({ error, error_description, state });
}
