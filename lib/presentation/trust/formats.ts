import type { CompiledVerifier } from './verdict.js';
import { jwt } from './jwt.js';
import { sdJwtVc } from './sd-jwt-vc.js';

/** Compiles a trust entry; `maxAge` is the default for its key binding, in seconds. */
export type Format = (entry: unknown, where: string, maxAge: number) => CompiledVerifier;

/** The formats by the name that a trust entry gives: a token never chooses (P11). */
export const formats: ReadonlyMap<unknown, Format> = new Map([
  ['sd-jwt-vc', sdJwtVc],
  ['jwt', jwt],
]);
