import { configInvalid } from '../../errors.js';
import { TimeoutError, withTimeoutSignal } from '../../internal/timeouts.js';
import { type Loaded, remote } from '../../internal/remote.js';
import { UnusableReply, fetchBounded } from '../../internal/fetch-bounded.js';
import { secureUrl } from '../../internal/urls.js';
import { checkFailed, enforce } from '../jose/check-failed.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import { freshFor } from './cache-control.js';
import { type KeySet, readKeySet, selectKey, checkFound } from './key-set.js';
import type { KeySource } from './key-source.js';

const deadlineMs = 5000;
const maxBytes = 256 * 1024;
const cooldownMs = 30_000;
const unavailable = 'keys_unavailable';
/** For so long a set is kept, whatever its reply says: forged tokens of a busy minute must not be a fetch each. */
const leastMs = 10_000;

/** The mechanism `jwksUri`: published keys, fetched when first needed and kept while fresh (K12, K14). */
export function remoteKeySet(jwksUri: unknown, where: string): KeySource {
  const url = secureUrl(jwksUri, true)?.href;
  if (url === undefined) throw configInvalid(`${where} must be an https URL (http only on loopback).`);

  const load = async ({ clock, fetch }: Runtime): Promise<Loaded<KeySet>> => {
    const reply = await withTimeoutSignal(deadlineMs, async ({ signal }) => {
      const headers = { accept: 'application/jwk-set+json, application/json' };
      return await fetchBounded(fetch, url, { headers, signal }, maxBytes);
    }).catch((error: unknown) => {
      throw checkFailed('K14', `The issuer's keys ${whyNot(error)}.`, unavailable);
    });
    const { status } = reply;
    enforce(
      'K14',
      status >= 200 && status <= 299,
      `The issuer's keys came with the status ${status}.`,
      unavailable,
    );
    const value = readKeySet(parse(reply.text), () => undefined);
    enforce('K14', value !== undefined, "The issuer's keys are not a JWK set.", unavailable);
    const at = clock().getTime();
    // A set without keys is a mistake of the issuer's, and must not be kept for a day.
    const longestMs = value.length === 0 ? cooldownMs : Infinity;
    return { value, at, freshUntil: at + Math.min(Math.max(freshFor(reply.headers), leastMs), longestMs) };
  };

  const sets = remote({ load, cooldown: cooldownMs });
  return async ({ header: { kid, alg } }, runtime) => {
    // The issuer may have rotated its keys just now, so an unknown kid causes a fetch however young the set is. After it,
    // good or failed, there is none for a while: unknown kids cost an attacker nothing.
    const key = selectKey(await sets.current(runtime), kid) ?? selectKey(await sets.renew(runtime), kid);
    checkFound(key);
    return key(alg);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw checkFailed('K14', "The issuer's keys are not JSON.", unavailable);
  }
}

function whyNot(error: unknown): string {
  if (error instanceof TimeoutError) return `did not come within ${String(deadlineMs / 1000)} seconds`;
  return error instanceof UnusableReply ? `came in a reply that is ${error.what}` : 'could not be fetched';
}
