import { hash } from 'node:crypto';
import type { AppRequest } from '../../options/options.js';
import { callOption } from './call-option.js';
import type { RouteContext } from '../context.js';

/** A digest of who is logged in, so that no name is stored in a session or record; undefined for nobody. */
export function subjectOf({ config }: RouteContext, req: AppRequest): string | undefined {
  const subject = callOption(
    'subject',
    () => config.subject?.(req),
    isSubject,
    'a string, or undefined for nobody',
  );
  return subject === undefined
    ? undefined
    : hash('sha256', `pidgate/1 subject ${config.scope} ${subject}`, 'base64url');
}

/** Anything else, as a string, might be the same for two people. */
function isSubject(answer: unknown): answer is string | undefined {
  return answer === undefined || (typeof answer === 'string' && answer !== '');
}
