import { configInvalid } from '../../errors.js';
import type { Verdict, Verifier } from '../../types/verifier.js';
import { readAttributes } from './attributes.js';
import { readDerived } from './derived.js';
import { askedDerived } from './expectation.js';
import { type CompiledVerifier, verdictOf } from './verdict.js';
import { type JsonObject, isObject } from '../jose/segment.js';

const maxReasonLength = 200;
const meanings = new Map<unknown, boolean>([
  [true, true],
  [false, false],
]);

/**
 * Wraps a verifier that the customer wrote. Its refusals are passed on. A valid verdict must still hold every attribute
 * that was asked for, in the kit's forms. If it throws, there is no verdict.
 */
export function customVerifier(verify: Verifier, where: string): CompiledVerifier {
  return async (presentation, expected) => {
    if (typeof presentation !== 'string')
      return refused({ check: 'P01', reason: 'The presentation is not a string.' });
    const verdict: unknown = await verify(presentation, expected);
    if (!isObject(verdict) || typeof verdict['valid'] !== 'boolean') {
      throw configInvalid(`${where} returned something that is not a verdict.`);
    }
    if (!verdict['valid']) return refused(verdict);
    return await verdictOf(() => ({
      valid: true,
      attributes: readAttributes(expected.reveal, 'derived', (id) => own(verdict['attributes'], id)),
      derived: readDerived(askedDerived(expected), meanings, (id) => own(verdict['derived'], id)),
    }));
  };
}

function refused({ reason, check, code }: JsonObject): Verdict {
  return {
    valid: false,
    reason: typeof reason === 'string' ? reason.slice(0, maxReasonLength) : 'No reason was given.',
    code: typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : 'presentation_invalid',
    ...(typeof check === 'string' && { check: check.slice(0, 20) }),
  };
}

function own(values: unknown, id: string): unknown {
  return isObject(values) && Object.hasOwn(values, id) ? values[id] : undefined;
}
