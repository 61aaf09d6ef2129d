import { refusal } from './check-failed.js';
import type { JsonObject } from './segment.js';

/** A protected header whose type and algorithm were judged. */
export interface JwsHeader {
  readonly alg: string;
  readonly typ: string;
  readonly [name: string]: unknown;
}

/** What a header must say, and the numbers of the checks that it fails otherwise. */
export interface HeaderRules {
  readonly name: string;
  readonly types: readonly string[];
  readonly algorithms: readonly string[];
  readonly checks: { readonly type: string; readonly algorithm: string };
}

/** Judges a protected header, letter by letter: jose forgives other spellings of typ (H01, H03, H04). */
export function judgeHeader(header: JsonObject, rules: HeaderRules): JwsHeader {
  const { alg, typ, crit, b64 } = header;
  if (typeof alg !== 'string' || !rules.algorithms.includes(alg)) {
    throw refusal(
      rules.checks.algorithm,
      `${rules.name} has an alg that is not ${rules.algorithms.join(' or ')}.`,
    );
  }
  if (typeof typ !== 'string' || !rules.types.includes(typ)) {
    throw refusal(rules.checks.type, `${rules.name} has a typ that is not ${rules.types.join(' or ')}.`);
  }
  if (crit !== undefined || b64 !== undefined) {
    throw refusal('H04', `${rules.name} asks for an extension that is not supported.`);
  }
  return { ...header, alg, typ };
}
