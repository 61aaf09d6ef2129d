import { configInvalid } from '../../errors.js';
import { DeadlinePassed, stoppedWithin } from '../../safe/time.js';
import { UnusableReply, fetchBounded } from '../../safe/fetch-bounded.js';
import { secureUrl } from '../../safe/urls.js';
import { checkFailed } from '../token/check-failed.js';
import type { Runtime } from '../token/runtime.js';
import { freshFor } from './freshness.js';
import { type KeySet, readKeySet, selectKey, unknownKid } from './key-set.js';
import type { KeySource } from './key-source.js';

interface Fetched {
  readonly set: KeySet;
  readonly at: number;
  readonly freshUntil: number;
}

const deadlineMs = 5000;
const maxBytes = 256 * 1024;
const cooldownMs = 30_000;

/** The mechanism `jwksUri`: published keys, fetched when first needed and kept while fresh (K12, K14). */
export function remoteKeySet(jwksUri: unknown, where: string): KeySource {
  const url = secureUrl(jwksUri, true)?.href;
  if (url === undefined) throw configInvalid(`${where} must be an https URL (http only on loopback).`);
  let fetched: Fetched = { set: [], at: -Infinity, freshUntil: -Infinity };
  /** The last refresh for an unknown kid: the time of its beginning, and its end. */
  let sought: { readonly at: number; readonly done: Promise<unknown> } = {
    at: -Infinity,
    done: Promise.resolve(),
  };
  let underway: Promise<Fetched> | undefined;

  const load = async ({ clock, fetch }: Runtime): Promise<Fetched> => {
    const reply = await stoppedWithin(deadlineMs, async ({ signal }) => {
      const headers = { accept: 'application/jwk-set+json, application/json' };
      return await fetchBounded(fetch, url, { headers, signal }, maxBytes);
    }).catch((error: unknown) => {
      throw unavailable(whyNot(error));
    });
    if (reply.status < 200 || reply.status > 299) {
      throw unavailable(`came with the status ${String(reply.status)}`);
    }
    const set = readKeySet(parse(reply.text), () => undefined);
    if (set === undefined) throw unavailable('are not a JWK set');
    const at = clock().getTime();
    const fresh = freshFor(reply.headers);
    // A set without keys is a mistake of the issuer's, and must not be kept for a day.
    return { set, at, freshUntil: at + (set.length === 0 ? Math.min(fresh, cooldownMs) : fresh) };
  };

  /** All callers that need the keys share one fetch. */
  const refresh = async (runtime: Runtime): Promise<Fetched> => {
    underway ??= load(runtime).finally(() => {
      underway = undefined;
    });
    fetched = await underway;
    return fetched;
  };

  return async ({ header }, runtime) => {
    const now = runtime.clock().getTime();
    // Keys fetched under a clock that has since been set back are not fresh: withdrawn ones would stay too long.
    const isFresh = fetched.at <= now && now < fetched.freshUntil;
    const areNewest = !isFresh && underway === undefined;
    const { set } = isFresh ? fetched : await refresh(runtime);
    let key = selectKey(set, header['kid']);
    // The first unknown kid causes a refresh however young the keys are: the issuer may have rotated just now. After it,
    // good or failed, there is none for a while: unknown kids cost an attacker nothing.
    if (key === undefined && !areNewest) {
      if (Math.abs(now - sought.at) >= cooldownMs) sought = { at: now, done: refresh(runtime) };
      await sought.done;
      key = selectKey(fetched.set, header['kid']);
    }
    if (key === undefined) throw unknownKid();
    return key(header.alg);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unavailable('are not JSON');
  }
}

function whyNot(error: unknown): string {
  if (error instanceof DeadlinePassed) return `did not come within ${String(deadlineMs / 1000)} seconds`;
  return error instanceof UnusableReply ? `came in a reply that is ${error.what}` : 'could not be fetched';
}

function unavailable(what: string): Error {
  return checkFailed('K14', `The issuer's keys ${what}.`, 'keys_unavailable');
}
