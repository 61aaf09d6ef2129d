import { sha256 } from '../flow/secrets.js';
import type { AppRequest } from '../options.js';
import type { Web } from './web.js';

/** A digest of who is logged in, so that no name lies in a session or record; undefined for nobody. */
export function subjectOf({ config }: Web, req: AppRequest): string | undefined {
  const subject = config.subject?.(req);
  return subject === undefined ? undefined : sha256(`pidgate/1 subject ${config.path} ${subject}`);
}
