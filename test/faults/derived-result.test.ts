import { describe, expect, test } from '@jest/globals';
import type { TrustEntry } from '../../lib/index.js';
import { audience, iss, issuerKeys, mint, signJws, vct, nonceOf } from '../support/verify/issuer.js';
import { type CallbackApp, callbackApps } from '../support/callbacks.js';

const openApp = callbackApps();
const jwks = { keys: [issuerKeys.jwk] };
const seconds = ({ clock }: CallbackApp) => Math.floor(clock().getTime() / 1000);

/** What the issuer signs of a derived result. */
interface Signed {
  readonly result: '0' | '1';
  readonly value?: string;
}

const formats: Readonly<
  Record<string, [TrustEntry, (app: CallbackApp, state: string, signed: Signed) => string]>
> = {
  'sd-jwt-vc': [
    { format: 'sd-jwt-vc', keys: { jwks }, vct: [vct], keyBinding: { nonce: 'state-sha256', audience } },
    (app, state, { result, value }) => {
      const iat = seconds(app);
      const derived = { derived: { nationality: result }, derived_for: { nationality: value } };
      const payload = { iat, exp: iat + 60, ...derived };
      return mint({ payload, binding: { payload: { iat, nonce: nonceOf(state) } } });
    },
  ],
  jwt: [
    {
      format: 'jwt',
      keys: { jwks },
      iss,
      audience,
      typ: 'result+jwt',
      binding: { claim: 'nonce', value: 'state-sha256' },
      claims: { given_name: ['given_name'], birth_date: ['birth_date'] },
      derived: { nationality: { result: ['german'], value: ['german_for'] } },
    },
    (app, state, { result, value }) => {
      const iat = seconds(app);
      const times = { iat, exp: iat + 60, iss, aud: audience, nonce: nonceOf(state) };
      const person = { given_name: 'Erika', birth_date: '1964-08-12' };
      const claims = { ...times, ...person, german: result, german_for: value };
      return signJws({ alg: 'ES256', typ: 'result+jwt' }, claims, issuerKeys);
    },
  ],
};

describe.each(Object.entries(formats))('a derived result in the format %s', (_format, [entry, sign]) => {
  const open = async (): Promise<CallbackApp> =>
    await openApp({
      hooks: { onVerified: () => undefined },
      options: { trust: { 'xx-test': entry }, derived: { nationality: 'DE' } },
    });

  test('F52 an issuer-signed "1" for FR never answers a question about DE', async () => {
    const app = await open();
    const { state } = await app.begin();
    for (const signed of [
      { result: '1', value: 'FR' },
      { result: '0', value: 'FR' },
      { result: '1' },
    ] as const) {
      const { status } = await app.deliver({ state, presentation: sign(app, state, signed) });
      expect(status).toBe(200);
    }
    expect(app.ran).toEqual(Array(3).fill('onError callback presentation_invalid'));
    expect(app.events.flatMap(({ check }) => check ?? [])).toEqual(['B19', 'B19', 'B19']);
  });

  test('F52 one for DE does', async () => {
    const app = await open();
    const { state } = await app.begin();
    await app.deliver({ state, presentation: sign(app, state, { result: '1', value: 'DE' }) });
    expect(app.ran).toEqual(['onVerified']);
  });
});
