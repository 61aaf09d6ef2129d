import { expect, test } from '@jest/globals';
import { IdentityError } from '../../../lib/errors.js';
import { nonceOf } from '../../../lib/service/receipt.js';
import type { Expected, SdJwtVcTrust, Trust, Verdict } from '../../../lib/types/trust.js';
import { type SdJwtOptions, type VerifiedSdJwt, verifySdJwt } from '../../../lib/verify/sd-jwt/verify.js';
import { type VerifierSettings, createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { testClock } from '../clock.js';
import { type Mint, audience, clock, issuerKeys, mint, nonce, now, vct } from './issuer.js';

export type Members = Readonly<Record<string, unknown>>;

export const state = 'state-of-the-flow';
export const binding = { nonce, audience };
export const expected: Expected = { issuer: 'de-ausweis', state, reveal: ['given_name', 'birth_date'] };

export const entry: SdJwtVcTrust = {
  format: 'sd-jwt-vc',
  keys: { jwks: { keys: [issuerKeys.jwk] } },
  vct: [vct],
  keyBinding: { nonce: 'state-sha256', audience },
};

/** The members that are not undefined: so a test takes one out. */
export const given = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as T;

/** A trust of one entry, which may be wrong. */
export const trustIn = (change: object = {}): Trust => ({
  'de-ausweis': given({ ...entry, ...(change as Partial<SdJwtVcTrust>) }),
});

/** A presentation for the flow with this state: good, but for what the caller changes. */
export function present(change: Mint = {}, forState = state): string {
  return mint({ binding: { payload: { nonce: nonceOf(forState) } }, ...change });
}

/** The verifier of a trust with one entry. */
function verifierOf(trust: Trust, settings: VerifierSettings = {}) {
  const verifier = createVerifiers(trust, { clock, ...settings }).get('de-ausweis');
  if (verifier === undefined) throw new Error('There is no verifier.');
  return verifier;
}

/** The verdict on a presentation by a trust of one entry. */
export async function judge(
  presentation: unknown,
  trust: Trust = trustIn(),
  change: object = {},
  settings: VerifierSettings = {},
): Promise<Verdict> {
  return await verifierOf(trust, settings)(presentation as string, { ...expected, ...change });
}

/** `valid`, or what `inShort` says of the verdict of `judge`. */
export const checkOf = async (...input: Parameters<typeof judge>): Promise<string> =>
  inShort(await judge(...input));

/** A verifier with a clock of its own, and what it says of presentations that are made at its moment. */
export function startVerifier(trust: Trust, settings: VerifierSettings = {}) {
  const time = testClock(now.getTime());
  const verifier = verifierOf(trust, { clock: time, ...settings });
  return {
    clock: time,
    wait: (seconds: number) => time.forward(seconds * 1000),
    verdict: async ({ payload = {}, ...token }: Mint = {}, asked: object = {}, forState = state) => {
      const iat = time().getTime() / 1000;
      const claims = { iat, exp: iat + 3600, ...(payload as Members) };
      const bound = { payload: { iat, nonce: nonceOf(forState) } };
      const presentation = mint({ binding: bound, ...token, payload: claims });
      return await verifier(presentation, { ...expected, ...asked });
    },
  };
}

/** What an operator can read: every refusal is one sentence, or a few. */
const isSentence = (reason: string): boolean => /^\S+ .+[^ :]\.$/.test(reason);

const usual: readonly unknown[] = ['presentation_invalid', 'credential_expired', 'credential_revoked'];

const withCode = (code: string | undefined, check: string | undefined) =>
  [code, check].filter((part) => !usual.includes(part)).join(' ');

/** `valid`, or the number of the check that refused, its code before it where that is not one of the usual ones. */
export function inShort(verdict: Verdict): string {
  if (verdict.valid) return 'valid';
  if (!isSentence(verdict.reason)) throw new Error('A refusal must say why.');
  return withCode(verdict.code, verdict.check);
}

/** `valid`, or what `inShort` says and the reason. */
export const inFull = (verdict: Verdict): string =>
  verdict.valid ? 'valid' : `${inShort(verdict)} ${verdict.reason}`;

/** Verifies as the issuer of the tests' own tokens wants it, but for what the test changes. */
export async function verify(compact: unknown, change: Partial<SdJwtOptions> = {}): Promise<VerifiedSdJwt> {
  return await verifySdJwt(compact as string, { key: issuerKeys.jwk, keyBinding: binding, clock, ...change });
}

/** `valid`, or the check that refused an SD-JWT as in `inShort`. */
export async function checkOfSdJwt(compact: unknown, change: Partial<SdJwtOptions> = {}): Promise<string> {
  try {
    await verify(compact, change);
  } catch (error) {
    if (!(error instanceof IdentityError) || error.check === undefined) throw error;
    if (error.cause !== undefined) throw new Error('A refusal must have no cause.', { cause: error });
    if (!isSentence(error.message)) throw new Error('A refusal must say why.', { cause: error });
    return withCode(error.code, error.check);
  }
  return 'valid';
}

/** `valid`, or the check that refused an SD-JWT that is minted like this. */
export const checkOfMint = async (change: Mint, options: Partial<SdJwtOptions> = {}): Promise<string> =>
  await checkOfSdJwt(mint(change), options);

/** What is thrown, for options and trust that are wrong. */
export async function thrown(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** An answer is as it must be: the very text, or like it. */
function expectAnswer(said: string, answer: string | RegExp): void {
  const isLike = answer instanceof RegExp && answer.test(said);
  expect(said).toBe(isLike ? said : answer);
}

/** One test a row: its title, what is said, and what it is said of. */
export function judgeEach<T extends readonly unknown[]>(
  say: (...input: T) => Promise<string>,
  rows: Readonly<Record<string, readonly [answer: string | RegExp, ...input: T]>>,
): void {
  test.each(Object.entries(rows))('%s', async (_, [answer, ...input]) => {
    expectAnswer(await say(...(input as unknown as T)), answer);
  });
}

/** One test a value, all of which are answered alike; `%j` or `%p` in the title is the value. */
export function judgeValues<T>(
  title: string,
  values: readonly T[],
  answer: string | RegExp,
  say: (value: T) => Promise<string>,
): void {
  test.each(values.map((value) => [value] as const))(`${title}`, async (value) => {
    expectAnswer(await say(value), answer);
  });
}

/** Refused as `config_invalid`, with this message. */
export async function expectRefusal(make: () => unknown, message: RegExp | string = /./): Promise<void> {
  const error = await thrown(make);
  expect(error).toMatchObject({ name: 'IdentityError', code: 'config_invalid' });
  expectAnswer((error as Error).message, message);
}

/** One test: what is wrong, and what the message of `config_invalid` says. */
export function refuse(title: string, make: () => unknown, message?: RegExp | string): void {
  test(`${title}`, async () => await expectRefusal(make, message));
}

/** One test a row: what is wrong, the option, and what the message of `config_invalid` says, or all of them. */
export function refuseEach<T>(
  title: string,
  rows: readonly (readonly [what: unknown, option: T, message?: RegExp | string])[],
  make: (option: T) => unknown,
  usual?: RegExp | string,
): void {
  test.each(rows)(`${title}`, async (_, option, message = usual) => {
    await expectRefusal(() => make(option as T), message);
  });
}

/** One test a value; `%j` or `%p` in the title is the value. */
export function refuseValues<T>(
  title: string,
  values: readonly T[],
  make: (value: T) => unknown,
  message?: RegExp | string,
): void {
  const rows = values.map((value) => [value, value] as const);
  refuseEach(title, rows, make, message);
}
