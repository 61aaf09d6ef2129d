import { once } from 'node:events';
import type { Response } from 'express';
import { type ServiceErrorCode, isServiceErrorCode, serviceErrors } from '../../../service/prove/errors.js';
import type { ScenarioId } from '../scenarios/catalogue.js';

type Record = (status: number | undefined, body: string) => void;

/** Answers `/prove` as badly as the scenario wants. */
export async function misbehave(
  scenario: ScenarioId,
  res: Response,
  closing: AbortSignal,
  record: Record,
): Promise<void> {
  if (scenario === 'prove_hang') {
    record(undefined, '(no answer)');
    await once(res, 'close', { signal: closing }).catch(() => undefined); // the app's patience, or our end
    res.destroy();
    return;
  }
  const [status, type, body] = replyFor(scenario);
  res.status(status).type(type).send(body);
  record(status, body);
}

function replyFor(scenario: ScenarioId): readonly [status: number, type: string, body: string] {
  if (scenario === 'prove_html') return [200, 'html', '<!doctype html><title>Welcome</title><p>It works!'];
  if (scenario === 'prove_bad_redirect') {
    return [200, 'json', JSON.stringify({ success: true, redirect_url: 'javascript:alert(1)' })];
  }
  const error = codeOf(scenario);
  const error_description = `The scenario ${scenario}.`;
  return [
    serviceErrors[error],
    'json',
    JSON.stringify({ success: false, error: { error, error_description } }),
  ];
}

function codeOf(scenario: ScenarioId): ServiceErrorCode {
  const code = scenario.replace(/^prove_40[01]_/, 'error_');
  return isServiceErrorCode(code) ? code : 'error_internal';
}
