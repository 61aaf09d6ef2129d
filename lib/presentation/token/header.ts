import { checkFailed } from './check-failed.js';
import type { JsonObject } from './segment.js';

/** A protected header whose type and algorithm were checked. */
export interface JwsHeader {
  readonly alg: string;
  readonly typ: string;
  readonly [name: string]: unknown;
}

/** The expected header, and the numbers of the checks that fail for another one. */
export interface HeaderRules {
  readonly name: string;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  readonly checks: { readonly type: string; readonly algorithm: string };
}

/** Checks a protected header. `typ` is compared exactly, while jose accepts other spellings (H01, H03, H04). */
export function checkHeader(header: JsonObject, rules: HeaderRules): JwsHeader {
  const { alg, typ, crit, b64 } = header;
  if (typeof alg !== 'string' || !rules.algorithms.includes(alg)) {
    throw checkFailed(
      rules.checks.algorithm,
      `${rules.name} has an alg that is not ${rules.algorithms.join(' or ')}.`,
    );
  }
  if (typeof typ !== 'string' || !rules.types.includes(typ)) {
    throw checkFailed(rules.checks.type, `${rules.name} has a typ that is not ${rules.types.join(' or ')}.`);
  }
  if (crit !== undefined || b64 !== undefined) {
    throw checkFailed('H04', `${rules.name} asks for an extension that is not supported.`);
  }
  return { ...header, alg, typ };
}
