import type { ScenarioId } from '../scenarios/catalogue.js';

/**
 * The interface names no codes for error callbacks; these are the sandbox's own, with their descriptions. What a wallet
 * answers if the person declines, has no matching ID or does not know the PIN is one word (OpenID4VP 1.0, 8.5).
 */
const errors: Partial<Record<ScenarioId, readonly [error: string, description: string]>> = {
  declined: ['access_denied', 'The person declined to share their identity.'],
  timeout: ['wallet_timeout', 'The wallet did not answer in time.'],
  wrong_pin: ['access_denied', 'The PIN was wrong.'],
  card_blocked: ['card_blocked', 'The identity card is blocked after three wrong PINs.'],
  credential_missing: ['access_denied', 'The wallet contains no ID that matches the request.'],
  service_error: ['error_internal', 'The service failed while it verified the identity.'],
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
