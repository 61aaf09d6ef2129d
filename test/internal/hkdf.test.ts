import { describe, expect, test } from '@jest/globals';
import { derive } from '../../lib/internal/hkdf.js';

// RFC 5869, appendix A, test case 3: the key that is extracted, and the first 32 bytes of what comes out without info.
const key = Buffer.from('19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04', 'hex');
const out = '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d';

describe('derive', () => {
  test('is HKDF-Expand: RFC 5869, test case 3', () => {
    expect(derive(key.toString('base64url'), '').toString('hex')).toBe(out);
  });

  test('differs with one bit of the secret and with the label', () => {
    const secret = Buffer.alloc(32);
    const other = Buffer.alloc(32);
    other[31] = 1;
    const made = [secret, other].flatMap((it) =>
      ['a', 'b'].map((label) => derive(it.toString('base64url'), label).toString('hex')),
    );
    expect(new Set(made).size).toBe(4);
  });
});
