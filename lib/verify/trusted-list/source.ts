import { IdentityError, isInOwnWords, kitError } from '../../errors.js';
import { fetchBounded, UnusableReply } from '../../internal/fetch-bounded.js';
import { type Loaded, remote } from '../../internal/remote.js';
import { TimeoutError, withTimeoutSignal } from '../../internal/timeouts.js';
import { freshFor } from '../keys/cache-control.js';
import { checkFailed, enforce } from '../jose/check-failed.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import type { AnchorSet, AnchorSource } from '../x5c/anchors.js';
import type { LeafRules } from '../x5c/signer-policy.js';
import { anchorsIn } from './anchors-from-list.js';
import { checkList, maxBytes } from './list.js';
import { parseLoteRules } from './options.js';
import { checkSequence, sequenceMemory } from './rollback-guard.js';

/** Anchors of the configuration that count until a list was accepted, and at most until a time in milliseconds. */
export interface FallbackAnchors {
  readonly anchors: AnchorSet;
  readonly until: number;
}

/** Ends before the kit's own five seconds, because a person waits. */
const deadlineMs = 4000;
const cooldownMs = 30_000;

/** The anchors of a signed list of trusted entities, fetched when first needed and renewed while the process runs. */
export function listOfTrustedEntities(
  value: unknown,
  where: string,
  leaf: LeafRules,
  interim: FallbackAnchors | undefined,
): AnchorSource {
  const rules = parseLoteRules(value, where);
  const memory = sequenceMemory(rules);
  /** True once it is known that no list was ever accepted: until then no interim anchor counts (L19). */
  let isFirst = false;

  const load = async (runtime: Runtime): Promise<Loaded<AnchorSet>> => {
    const newest = await memory.read();
    isFirst = newest.size === 0;
    const { text, headers } = await fetchList(rules.url, runtime.fetch);
    const at = runtime.clock().getTime();
    const list = await checkList(text, rules, at);
    checkSequence(list, newest, rules);
    const value = keepAnchors(anchorsIn(list.entities, rules, leaf, at), lists.latest());
    await memory.advance(list);
    isFirst = false;
    const countsUntil = Math.min(list.nextUpdate, at + rules.maxStale);
    const freshUntil = Math.min(countsUntil, at + Math.max(freshFor(headers), cooldownMs));
    return { value, at, freshUntil, countsUntil };
  };

  /** One fetch for all, and none for a while after one that failed (L21). A list counts until it is stale (L18, L22). */
  const lists = remote({
    load: async (runtime: Runtime) =>
      await load(runtime).catch((error: unknown) => {
        throw unusable(error);
      }),
    cooldown: cooldownMs,
  });

  const current = async (runtime: Runtime): Promise<AnchorSet> => {
    try {
      return await lists.current(runtime);
    } catch (error) {
      const now = runtime.clock().getTime();
      if (isFirst && interim !== undefined && now < interim.until) return interim.anchors;
      throw error;
    }
  };

  return {
    current,
    renew: async (runtime) => await lists.renew(runtime).catch(async () => await current(runtime)),
    generation: lists.latest,
  };
}

/** Returns the anchors of before if nothing about them has changed: what was checked with them stays checked (L20). */
function keepAnchors(anchors: AnchorSet, before: AnchorSet | undefined): AnchorSet {
  return before !== undefined && printOf(before) === printOf(anchors) ? before : anchors;
}

function printOf({ credential, statusList, leaves }: AnchorSet): string {
  return [credential, statusList, leaves]
    .map((anchors) => anchors.map(({ x509 }) => x509.fingerprint256).join())
    .join(';');
}

async function fetchList(
  url: string,
  fetch: typeof globalThis.fetch,
): Promise<{ readonly text: string; readonly headers: Headers }> {
  const { status, headers, text } = await withTimeoutSignal(deadlineMs, async ({ signal }) => {
    const init = { headers: { accept: 'application/jose, application/jwt' }, signal };
    return await fetchBounded(fetch, url, init, maxBytes);
  }).catch((error: unknown) => {
    throw checkFailed('L17', whyNot(error));
  });
  enforce('L17', status >= 200 && status <= 299, `it came with the status ${status}.`);
  return { text, headers };
}

function whyNot(error: unknown): string {
  if (error instanceof TimeoutError) return `it did not come within ${deadlineMs / 1000} seconds.`;
  return error instanceof UnusableReply
    ? `it came in a reply that is ${error.what}.`
    : 'it could not be fetched.';
}

/** A bad list says nothing about the presentation: a later delivery may find a good one. */
function unusable(error: unknown): unknown {
  return error instanceof IdentityError && isInOwnWords(error) && error.check !== undefined
    ? unavailable(error.check, error.message)
    : error;
}

function unavailable(check: string, why: string): Error {
  const message = `The list of trusted entities cannot be used: ${why}`;
  return kitError('keys_unavailable', { check, message });
}
