import { configInvalid } from '../../errors.js';
import type { SdJwtVcTrust } from '../../contracts/trust.js';
import { knownOptions } from '../../safe/check-options.js';
import { refusal } from '../token/check-failed.js';
import type { Seams } from '../token/runtime.js';
import type { JsonObject } from '../token/segment.js';
import { allowedOrigins } from './allowed-origins.js';
import { keptLists } from './list-cache.js';
import type { ListRules } from './list-token.js';
import { loadList } from './load-list.js';
import { statusReference } from './reference.js';
import { refuseStatus, statusAt } from './status-list.js';

/** Refuses a credential whose status is anything but VALID. To be asked last, of a credential that is good (T01). */
export type JudgeStatus = (claims: JsonObject, seams: Seams) => Promise<void>;

type StatusOptions = NonNullable<SdJwtVcTrust['status']>;

const optionNames = ['mode', 'origins'] as const satisfies readonly (keyof StatusOptions)[];
const modes: readonly unknown[] = [
  'ifPresent',
  'require',
  'dangerouslyIgnore',
] satisfies readonly StatusOptions['mode'][];

/** Compiles the `status` of a trust entry; `own` is what else the entry names, and may be an URL of its issuer. */
export function compileStatus(
  value: unknown = {},
  rules: ListRules,
  own: readonly unknown[],
  where: string,
): JudgeStatus {
  const { mode = 'ifPresent', origins } = knownOptions(value, optionNames, where);
  if (!modes.includes(mode)) throw configInvalid(`${where}.mode must be ${modes.join(', ')}.`);
  const allowed = allowedOrigins(origins, own, `${where}.origins`);
  if (mode === 'dangerouslyIgnore') return async () => {};
  if (mode === 'require' && allowed.length === 0) {
    throw configInvalid(`${where}.origins must name where the required status lists come from.`);
  }
  const listAt = keptLists(async (uri, seams) => await loadList(uri, rules, seams));
  return async ({ status }, seams) => {
    if (status === undefined && mode === 'ifPresent') return;
    if (status === undefined) throw refusal('T02', 'The credential has no status, and one is required.');
    const { uri, idx } = statusReference(status, allowed);
    refuseStatus(statusAt(await listAt(uri, seams), idx));
  };
}
