import { z } from 'zod';
import type { AttributeId, DerivedId } from '../types/attributes.js';

/** The PID attribute ids of the interface (EU PID rulebook, annex 3.01). */
export const attributeIds = [
  'family_name',
  'given_name',
  'birth_date',
  'nationality',
] as const satisfies readonly AttributeId[];

/** The derived attribute ids of the interface. */
export const derivedIds = ['nationality'] as const satisfies readonly DerivedId[];

export const attributeId: z.ZodType<AttributeId> = z.enum(attributeIds);

export function isAttributeId(value: unknown): value is AttributeId {
  return (attributeIds as readonly unknown[]).includes(value);
}

export function isDerivedId(value: unknown): value is DerivedId {
  return (derivedIds as readonly unknown[]).includes(value);
}
