import { describe, expect, test } from '@jest/globals';
import { type Trust, x509HashClientId } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { certify, pemOf, x5cOf } from '../../support/verify/certificates.js';
import { iss, issuerKeys, mint, now, vct, nonceOf } from '../../support/verify/issuer.js';
import { signed, trusting } from '../../support/verify/lists.js';
import { leaf, intermediate, root } from '../../support/verify/chains.js';
import { type Begun, type CallbackApp, type Judge, callbackApps } from '../../support/callbacks.js';

const openApp = callbackApps();
const flowTtl = 600_000;

/** A running app whose verifier a deployment replaces, without the flows in its store. */
async function running() {
  let current: Judge = () => ({ valid: false, reason: 'Nothing is deployed.', check: 'K16' });
  const app = await openApp({
    hooks: { onVerified: () => undefined },
    judge: async (presentation, expected) => await current(presentation, expected),
    options: { flowTtl },
  });
  return {
    app,
    deploy: (next: Judge) => {
      current = next;
    },
  };
}

const outcomes = ({ ran }: CallbackApp) => ({
  verified: ran.filter((hook) => hook === 'onVerified').length,
  refused: ran.filter((hook) => hook !== 'onVerified').length,
});

describe('the access certificate of the service is renewed while flows are under way', () => {
  const [old = '', renewed = ''] = ['2026', '2027'].map((year) =>
    x509HashClientId(pemOf(certify({ subject: `Access ${year}` }))),
  );

  const expecting = (app: CallbackApp, audience: readonly string[]): Judge => {
    const trust: Trust = {
      'xx-test': {
        format: 'sd-jwt-vc',
        keys: { jwks: { keys: [issuerKeys.jwk] } },
        vct: [vct],
        keyBinding: { nonce: 'state-sha256', audience },
      },
    };
    const verify = createVerifiers(trust, { clock: app.clock, maxAge: flowTtl / 1000 }).get('xx-test');
    if (verify === undefined) throw new Error('There is no verifier.');
    return verify;
  };

  /** The flows of a day: 10 a minute, each with a wallet that answers between 1 and 9 minutes after the start. */
  async function day(
    audiences: readonly (readonly [minute: number, audience: readonly string[]])[],
    flows: number,
  ) {
    const { app, deploy } = await running();
    const switched = flows / 20; // in the middle of the day the service begins to use the new certificate
    const waiting: { readonly begun: Begun; readonly aud: string; readonly due: number }[] = [];
    for (let minute = 0; minute <= flows / 10 + 9; minute += 1) {
      for (const [from, audience] of audiences) if (from === minute) deploy(expecting(app, audience));
      for (const { begun, aud } of waiting.filter(({ due }) => due === minute)) {
        const iat = Math.floor(app.clock().getTime() / 1000);
        const payload = { iat, exp: iat + 60 };
        const binding = { payload: { iat, aud, nonce: nonceOf(begun.state) } };
        await app.deliver({ state: begun.state, presentation: mint({ payload, binding }) });
      }
      for (let count = 0; count < 10 && minute < flows / 10; count += 1) {
        const aud = minute < switched ? old : renewed;
        waiting.push({ begun: await app.begin(), aud, due: minute + 1 + (count % 9) });
      }
      app.clock.forward(60_000);
    }
    return outcomes(app);
  }

  test("B08 none of 1,000 is refused, if both ids count from before the switch until a flow's life after it", async () => {
    const audiences = [
      [0, [old]],
      [49, [old, renewed]],
      [50 + flowTtl / 60_000, [renewed]],
    ] as const;
    expect(await day(audiences, 1000)).toEqual({ verified: 1000, refused: 0 });
  });

  test('B08 one that drops the old id with the switch refuses those under way', async () => {
    const { verified, refused } = await day(
      [
        [0, [old]],
        [5, [renewed]],
      ],
      100,
    );
    expect(verified + refused).toBe(100);
    expect(refused).toBeGreaterThan(10);
  });
});

describe('the anchors are replaced while the app runs', () => {
  const other = certify({ subject: 'Other Root', isCa: true });
  const chains = { old: [leaf, intermediate], next: [certify({ subject: 'PID Issuer', issuer: other })] };
  const entities = (...certificates: readonly (typeof root)[]) => [{ services: [{ certificates }] }];

  test('L20 no good presentation of 300 is refused, and afterwards the old anchor signs nothing', async () => {
    const { app, deploy } = await running();
    const began = app.clock().getTime();
    // The certificates of the tests are valid around one moment.
    const clock = () => new Date(now.getTime() + app.clock().getTime() - began);
    const lists = {
      0: await signed(),
      60: await signed({ sequence: 8, entities: entities(root, other) }),
      200: await signed({ sequence: 9, entities: entities(other) }),
    };
    let published = '';
    const fetched: string[] = [];
    const fetch = async (url: unknown) => {
      fetched.push(String(url));
      return await Promise.resolve(new Response(published));
    };
    const verify = createVerifiers(trusting({}, {}, { iss }), { clock, fetch }).get('de-ausweis');
    if (verify === undefined) throw new Error('There is no verifier.');
    deploy(async (presentation, { startedAt: _, ...expected }) => await verify(presentation, expected));

    const deliver = async (chain: (typeof chains)[keyof typeof chains]) => {
      const { state } = await app.begin();
      const iat = Math.floor(clock().getTime() / 1000);
      const [signer = leaf] = chain;
      const presentation = mint({
        issuer: signer.keys,
        header: { x5c: x5cOf(...chain) },
        payload: { iat, exp: iat + 60 },
        binding: { payload: { iat, nonce: nonceOf(state) } },
      });
      await app.deliver({ state, presentation });
    };
    for (let minute = 0; minute < 300; minute += 1) {
      published = lists[minute as keyof typeof lists] ?? published;
      await deliver(minute < 120 || (minute < 190 && minute % 2 === 0) ? chains.old : chains.next);
      app.clock.forward(60_000);
    }
    expect(outcomes(app)).toEqual({ verified: 300, refused: 0 });
    expect(fetched.length).toBeLessThan(40);
    await deliver(chains.old);
    expect(app.ran.at(-1)).toBe('onError callback key_not_found');
  });
});
