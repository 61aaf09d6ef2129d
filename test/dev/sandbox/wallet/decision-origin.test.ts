import { describe, expect, it } from '@jest/globals';
import { aCustomer, post, sandbox, start } from '../open.js';

describe('A decision counts only from the page itself', () => {
  const judged: [string, Record<string, string>, number][] = [
    ['Sec-Fetch-Site same-origin', { 'sec-fetch-site': 'same-origin' }, 303],
    ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }, 403],
    ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }, 403],
    ['a foreign Origin', { origin: 'https://evil.example' }, 403],
    ['Origin null', { origin: 'null' }, 403],
    ['neither header', {}, 303],
  ];
  it.each(judged)('%s', async (_what, headers, status) => {
    const { redirectUrl, callbacks } = await aCustomer();
    const posted = await post(await start(await sandbox({ redirectUrl })), { decision: 'approve' }, headers);
    expect(posted.status).toBe(status);
    expect(callbacks).toHaveLength(status === 303 ? 1 : 0);
  });

  it('its own Origin', async () => {
    const { redirectUrl } = await aCustomer();
    const service = await sandbox({ redirectUrl });
    const posted = await post(await start(service), { decision: 'approve' }, { origin: service.url });
    expect(posted.status).toBe(303);
  });
});
