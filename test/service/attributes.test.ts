import { describe, expect, it } from '@jest/globals';
import {
  attributeId,
  attributeIds,
  derivedIds,
  isAttributeId,
  isDerivedId,
} from '../../lib/service/attributes.js';

describe('attributes', () => {
  it('are those of the interface', () => {
    expect(attributeIds).toEqual(['family_name', 'given_name', 'birth_date', 'nationality']);
    expect(derivedIds).toEqual(['nationality']);
    expect(attributeIds.every((id) => isAttributeId(id) && attributeId.safeParse(id).success)).toBe(true);
    expect(derivedIds.every(isDerivedId)).toBe(true);
  });

  it.each(['birthdate', 'FAMILY_NAME', 'constructor', '', null, 0, ['given_name']])('%j is none', (value) => {
    expect([isAttributeId(value), isDerivedId(value), attributeId.safeParse(value).success]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
