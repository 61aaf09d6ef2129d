import { sha256 } from '../../flow/secrets.js';
import type { AppRequest } from '../../options/options.js';
import { askApp } from './call-option.js';
import type { Web } from '../web.js';

/** A digest of who is logged in, so that no name lies in a session or record; undefined for nobody. */
export function subjectOf({ config }: Web, req: AppRequest): string | undefined {
  const subject = askApp(
    'subject',
    () => config.subject?.(req),
    isSubject,
    'a text, or undefined for nobody',
  );
  return subject === undefined ? undefined : sha256(`pidgate/1 subject ${config.path} ${subject}`);
}

/** Anything else, as a text, might be the same for two people. */
function isSubject(answer: unknown): answer is string | undefined {
  return answer === undefined || (typeof answer === 'string' && answer !== '');
}
