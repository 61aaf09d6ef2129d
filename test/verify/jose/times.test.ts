import { describe } from '@jest/globals';
import { nowSeconds } from '../../support/verify/issuer.js';
import { type Members, checkOfMint, judgeEach, judgeValues } from '../../support/verify/verdicts.js';

const at = (payload: Members, clockTolerance?: number) =>
  checkOfMint({ payload }, clockTolerance === undefined ? {} : { clockTolerance });
const aud = 'x509_san_dns:app.example';

judgeEach(at, {
  'C04 an expired credential: at the very second': ['C04', { exp: nowSeconds }, 0],
  'C04 a second before': ['valid', { exp: nowSeconds + 1 }, 0],
  'C04 at the very second, less the tolerance': ['C04', { exp: nowSeconds - 5 }],
  'C04 a second before, less the tolerance': ['valid', { exp: nowSeconds - 4 }],
  'C05 without any time': ['valid', { exp: undefined, iat: undefined }],
  'C05 with parts of seconds': ['valid', { exp: nowSeconds + 0.5, iat: nowSeconds - 0.5 }, 0],
  'C06 a credential that is not valid yet': ['C06', { nbf: nowSeconds + 6 }],
  'C06 within the tolerance': ['valid', { nbf: nowSeconds + 5 }],
  'C06 at the very second': ['valid', { nbf: nowSeconds }, 0],
  'C06 a second later': ['C06', { nbf: nowSeconds + 1 }, 0],
  'C07 a credential from the future': ['C07', { iat: nowSeconds + 6 }],
  'C07 within the tolerance': ['valid', { iat: nowSeconds + 5 }],
  'C12 the year 9999 and 1970 are times': ['valid', { exp: 253_402_300_799, iat: 0, nbf: 0 }],
  'C12 and so is the second day': ['valid', { iat: 100_000 }],
  'C12 times in days, as a real issuer sent them': ['C12', { iat: 20_047, exp: 20_137 }],
  'C12 exp in milliseconds': ['C12', { exp: (nowSeconds + 3600) * 1000 }],
  'C12 iat in milliseconds': ['C12', { iat: nowSeconds * 1000 }],
  'C12 nbf in days': ['C12', { nbf: 20_047 }],
  'C12 times in an unsafe number': ['C12', { exp: 1e300 }],
  'C12 times in the year 10000': ['C12', { exp: 253_402_300_800 }],
  'C12 times in what could be days until 2243': ['C12', { iat: 99_999 }],
  'C10 an audience of the credential must be ours': ['valid', { aud }],
  'C10 ours may be one of several': ['valid', { aud: ['other', aud] }],
});

describe('C10 an audience of the credential', () => {
  judgeValues('C10 %j is not ours', ['other', [], ['other'], null, 7], 'C10', (other) => at({ aud: other }));
  judgeEach(checkOfMint, {
    'C10 without key binding': ['C10', { binding: 'absent', payload: { aud } }, { keyBinding: 'absent' }],
  });
});
