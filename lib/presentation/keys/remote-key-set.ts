import { configInvalid } from '../../errors.js';
import { within } from '../../protocol/deadline.js';
import { fetchBounded } from '../../protocol/fetch-bounded.js';
import { secureUrl } from '../../protocol/urls.js';
import { refusal } from '../refusal.js';
import type { Seams } from '../seams.js';
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

/** The mechanism `jwksUri`: keys that the issuer publishes, fetched when first needed and kept while fresh (K12, K14). */
export function remoteKeySet(jwksUri: unknown, where: string): KeySource {
  const url = secureUrl(jwksUri, true)?.href;
  if (url === undefined) throw configInvalid(`${where} must be an https URL (http only on loopback).`);
  let fetched: Fetched | undefined;
  let underway: Promise<Fetched> | undefined;

  const load = async ({ clock, fetch }: Seams): Promise<Fetched> => {
    const reply = await within(deadlineMs, async (signal) => {
      const headers = { accept: 'application/jwk-set+json, application/json' };
      return await fetchBounded(fetch, url, { headers, signal }, maxBytes);
    }).catch(() => {
      throw unavailable('could not be fetched');
    });
    if (reply.status < 200 || reply.status > 299) throw unavailable('came with a status that is not 2xx');
    const set = readKeySet(parse(reply.text), () => undefined);
    if (set === undefined) throw unavailable('are not a JWK set');
    const at = clock().getTime();
    return { set, at, freshUntil: at + freshFor(reply.headers) };
  };

  /** Everyone who needs the keys while they are on their way waits for the same fetch. */
  const refresh = async (seams: Seams): Promise<Fetched> => {
    underway ??= load(seams).finally(() => {
      underway = undefined;
    });
    fetched = await underway;
    return fetched;
  };

  return async ({ header }, seams) => {
    const now = seams.clock().getTime();
    let current = fetched !== undefined && now < fetched.freshUntil ? fetched : await refresh(seams);
    let key = selectKey(current.set, header['kid']);
    if (key === undefined && now - current.at >= cooldownMs) {
      current = await refresh(seams);
      key = selectKey(current.set, header['kid']);
    }
    if (key === undefined) throw unknownKid();
    return await key(header.alg);
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unavailable('are not JSON');
  }
}

function unavailable(what: string): Error {
  return refusal('K14', `The issuer's keys ${what}.`, 'keys_unavailable');
}
