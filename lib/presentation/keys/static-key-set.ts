import { configInvalid } from '../../errors.js';
import type { KeySource } from './key-source.js';
import { readKeySet, selectKey, unknownKid } from './key-set.js';

/** The mechanism `jwks`: keys in the configuration. */
export function staticKeySet(jwks: unknown, where: string): KeySource {
  const set = readKeySet(jwks, (why, index) => {
    throw configInvalid(`${where}.keys[${index}] is ${why}.`);
  });
  if (set === undefined || set.length === 0)
    throw configInvalid(`${where} must be { keys: [...] } with at least one key.`);
  return async ({ header }) => {
    const key = selectKey(set, header['kid']);
    if (key === undefined) throw unknownKid();
    return key(header.alg);
  };
}
