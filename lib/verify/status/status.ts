import { configInvalid } from '../../errors.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import { knownOptions } from '../../internal/former-validate.js';
import { enforce } from '../jose/check-failed.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import type { JsonObject } from '../jose/segment.js';
import { allowedOrigins, statusReference } from './reference.js';
import { keptLists } from './list-cache.js';
import type { ListRules } from './list-token.js';
import { loadList } from './load-list.js';
import { refuseStatus, readStatus } from './status-list.js';

/** Refuses a credential whose status is not VALID. Called last, for a credential that passed all else (T01). */
export type CheckStatus = (claims: JsonObject, runtime: Runtime) => Promise<void>;

type StatusOptions = NonNullable<SdJwtVcTrust['status']>;

const optionNames = ['mode', 'origins'] as const satisfies readonly (keyof StatusOptions)[];
const modes: readonly unknown[] = [
  'ifPresent',
  'require',
  'dangerouslyIgnore',
] satisfies readonly StatusOptions['mode'][];

/** Compiles the `status` of a trust entry. `own` are further values of the entry that may be URLs of the issuer. */
export function compileStatus(
  value: unknown = {},
  rules: ListRules,
  own: readonly unknown[],
  where: string,
): CheckStatus {
  const { mode = 'ifPresent', origins } = knownOptions(value, optionNames, where);
  if (!modes.includes(mode)) throw configInvalid(`${where}.mode must be ${modes.join(', ')}.`);
  const allowed = allowedOrigins(origins, own, `${where}.origins`);
  if (mode === 'dangerouslyIgnore') return async () => {};
  if (mode === 'require' && allowed.length === 0) {
    throw configInvalid(`${where}.origins must name where the required status lists come from.`);
  }
  const load = async (uri: string, runtime: Runtime) => await loadList(uri, rules, runtime);
  const listAt = keptLists(load, rules.keys.generation);
  return async ({ status }, runtime) => {
    if (status === undefined && mode === 'ifPresent') return;
    enforce('T02', status !== undefined, 'The credential has no status, and one is required.');
    const { uri, idx } = statusReference(status, allowed);
    refuseStatus(readStatus(await listAt(uri, runtime), idx));
  };
}
