import { configInvalid } from '../../errors.js';
import type { Verifier } from '../../contracts/verifier.js';
import { formats } from './formats.js';
import { customVerifier } from './custom-verifier.js';
import type { CompiledVerifier } from './verdict.js';
import { isObject } from '../token/segment.js';

/** Checks a whole trust configuration and compiles it, by issuer id. */
export function compileTrust(trust: unknown, maxAge: number): ReadonlyMap<string, CompiledVerifier> {
  if (!isObject(trust)) throw configInvalid('trust must be an object of issuer ids.');
  const given = Object.entries(trust).filter(([, entry]) => entry !== undefined);
  return new Map(given.map(([issuer, entry]) => [issuer, compileEntry(entry, `trust['${issuer}']`, maxAge)]));
}

function compileEntry(entry: unknown, where: string, maxAge: number): CompiledVerifier {
  if (typeof entry === 'function') return customVerifier(entry as Verifier, where);
  if (!isObject(entry)) throw configInvalid(`${where} must be a trust entry or a verifier function.`);
  const compile = formats.get(entry['format']);
  if (compile !== undefined) return compile(entry, where, maxAge);
  throw configInvalid(`${where}.format must be ${[...formats.keys()].join(' or ')}.`);
}
