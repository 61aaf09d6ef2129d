import { expect, test } from '@jest/globals';
import type { IdentityError } from '../../lib/errors.js';
import { callbackApps, valid } from '../support/callbacks.js';

const openApp = callbackApps();

test("F57 a bug in a customer's own verifier is an error with its cause, and the flow goes on", async () => {
  const bug = new TypeError('claims is undefined');
  const errors: IdentityError[] = [];
  let isMended = false;
  const app = await openApp({
    hooks: {
      onVerified: () => undefined,
      onError: ({ error }: { error: IdentityError }) => void errors.push(error),
    },
    judge: () => {
      if (isMended) return valid;
      throw bug;
    },
  });
  const { state } = await app.begin();
  const { status, body } = await app.deliver({ state, presentation: 'good' });
  expect(status).toBe(200);
  expect(body.redirect_uri).toContain('hook_failed');
  expect(errors.map(({ code, cause }) => [code, cause])).toEqual([['hook_failed', bug]]);
  expect(JSON.stringify(app.events)).not.toContain('claims is undefined');
  isMended = true;
  await app.deliver({ state, presentation: 'good' });
  expect(app.ran).toEqual(['onError callback hook_failed', 'onVerified']);
});
