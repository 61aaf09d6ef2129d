import { openRecord, splitValue } from '../../../lib/flow/record.js';
import { namesOf } from '../../../lib/flow/secrets.js';
import type { Written } from './life-moves.js';

type Seen = Omit<Written, 'sent'>;

const nothing = { deadline: undefined, remembered: 0, lease: undefined, holdsResult: false };

/** No record is left. */
export const gone: Seen = { phase: 'none', ...nothing };

/** What a stored value says of the flow, opened with its state. */
export function observe(value: string, state: string): Seen {
  const { id, key } = namesOf(state, '/identity');
  const parts = splitValue(value);
  if (parts?.kind === 'revoked') return { phase: 'failed', ...nothing };
  const record = parts && openRecord(key, id, parts);
  if (record === undefined) throw new Error('A record that does not open');
  return {
    phase: record.status,
    deadline: record.expiresAt,
    remembered: record.refused.length,
    lease: record.lease,
    holdsResult: record.result !== undefined,
  };
}
