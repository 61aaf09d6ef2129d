import { describe, expect, test } from '@jest/globals';
import type { AppRequest } from '../../../lib/options/options.js';
import { looksMobile } from '../../../lib/http/request/same-device.js';

const mobile = (headers: Record<string, string>): boolean =>
  looksMobile({ headers } as unknown as AppRequest);

describe('whether the wallet is on this device', () => {
  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
      true,
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1.2 Mobile/15E148 Safari/604.1',
      true,
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
      true,
    ],
    ['Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0', true],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      false,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15',
      false,
    ],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', false],
    ['curl/8.5.0', false],
    ['automobile-club/1.0', false],
  ])('%s: %p', (agent, expected) => {
    expect(mobile({ 'user-agent': agent })).toBe(expected);
  });

  test('the client hint comes before the user agent', () => {
    const phone = 'Mozilla/5.0 (Linux; Android 15) Mobile';
    expect(mobile({ 'sec-ch-ua-mobile': '?0', 'user-agent': phone })).toBe(false);
    expect(mobile({ 'sec-ch-ua-mobile': '?1', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' })).toBe(true);
    expect(mobile({ 'sec-ch-ua-mobile': 'yes', 'user-agent': phone })).toBe(true);
    expect(mobile({})).toBe(false);
  });
});
