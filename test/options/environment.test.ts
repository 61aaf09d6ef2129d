import { describe, expect, test } from '@jest/globals';
import { configured, good, refusal, withEnvironment } from './settings.js';

const whole = {
  IDENTITY_BASE_URL: 'https://env.example',
  IDENTITY_API_KEY: 'marker-env-key',
  IDENTITY_ISSUER: 'de-ausweis',
  IDENTITY_VARIANT: 'base',
  APP_URL: 'https://env-app.example',
  NODE_ENV: 'production',
};
const none = { baseUrl: undefined, apiKey: undefined, issuer: undefined, appUrl: undefined };

describe('the environment', () => {
  test('stands in for what the code leaves out', () => {
    withEnvironment(whole, () => {
      expect(configured(none)).toMatchObject({
        baseUrl: 'https://env.example',
        apiKey: 'marker-env-key',
        issuer: 'de-ausweis',
        variant: 'base',
        origins: ['https://env-app.example'],
        mode: 'production',
      });
    });
  });

  test('comes after the code', () => {
    withEnvironment(whole, () => {
      expect(configured({ variant: 'derived' })).toMatchObject({
        baseUrl: good.baseUrl,
        apiKey: good.apiKey,
        issuer: good.issuer,
        variant: 'derived',
        origins: [good.appUrl],
      });
    });
  });

  test.each([
    ['baseUrl', 'IDENTITY_BASE_URL'],
    ['apiKey', 'IDENTITY_API_KEY'],
    ['issuer', 'IDENTITY_ISSUER'],
    ['appUrl', 'APP_URL'],
  ])('%s is missing where neither tells it, and an empty %s is absent', (option, variable) => {
    const message =
      `Option ${option} is missing: set it, or the environment variable ${variable}. ` +
      'For a sandbox on this machine, run the app by: npx pidgate dev <file>. ' +
      'In a test, pass ...sandbox.options, with const sandbox = await createSandbox().' +
      (option === 'baseUrl' ? ' To ask wallets without a service, set the option wallets.' : '');
    for (const variables of [{}, { ...whole, [variable]: '' }]) {
      withEnvironment(variables, () => expect(refusal({ [option]: undefined })).toBe(message));
    }
  });

  test('all that is missing is in one message', () => {
    withEnvironment({}, () => {
      expect(refusal(none)).toBe(
        'Options baseUrl, apiKey, issuer, and appUrl are missing: set them, or the environment variables ' +
          'IDENTITY_BASE_URL, IDENTITY_API_KEY, IDENTITY_ISSUER, and APP_URL. ' +
          'For a sandbox on this machine, run the app by: npx pidgate dev <file>. ' +
          'In a test, pass ...sandbox.options, with const sandbox = await createSandbox(). ' +
          'To ask wallets without a service, set the option wallets.',
      );
    });
    withEnvironment({ ...whole, IDENTITY_API_KEY: '', APP_URL: '' }, () => {
      expect(refusal(none)).toMatch(
        /^Options apiKey and appUrl are missing: .* IDENTITY_API_KEY and APP_URL\./,
      );
    });
  });

  test('the variant is derived where nobody says, and no other word is taken', () => {
    withEnvironment({}, () => expect(configured().variant).toBe('derived'));
    const message = "IDENTITY_VARIANT must be 'base' or 'derived'. Did you mean base?";
    withEnvironment({ IDENTITY_VARIANT: 'Base' }, () => expect(refusal({})).toBe(message));
  });

  test('is checked like the code', () => {
    withEnvironment({ ...whole, IDENTITY_BASE_URL: 'http://marker.example' }, () => {
      expect(refusal(none)).toMatch(/^Option baseUrl \(or IDENTITY_BASE_URL\): must be an https URL/);
    });
    withEnvironment({ ...whole, APP_URL: 'https://marker.example/?path' }, () => {
      expect(refusal(none)).toMatch(/^Option appUrl \(or APP_URL\) must be an https origin/);
    });
  });
});
