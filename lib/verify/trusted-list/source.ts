import { IdentityError, isInOwnWords, kitError } from '../../errors.js';
import { type Loaded, remote } from '../../internal/remote.js';
import type { Runtime } from '../jose/clock.js';
import { enforce } from '../jose/enforce.js';
import { fetchDocument, freshFor } from '../keys/fetch-document.js';
import type { AnchorSet, AnchorSource } from '../x5c/anchors.js';
import type { LeafRules } from '../x5c/signer-policy.js';
import { anchorReader } from './anchors-from-list.js';
import { checkList, maxBytes } from './list.js';
import { invalid } from '../../internal/validate.js';
import { parseLoteRules } from './list-rules.js';
import { checkSequence, sequenceMemory } from './rollback-guard.js';

/** The deadline ends before the kit's own five seconds, because a person waits. */
const bounds = { accept: 'application/jose, application/jwt', deadlineMs: 4000, maxBytes };
const cooldownMs = 30_000;

/**
 * The anchors of a signed list of trusted entities, fetched when first needed and renewed while the process runs. The
 * fallback counts until a list was accepted, and at most until its time in milliseconds; the store remembers which (L19).
 */
export function anchorsOfList(
  value: unknown,
  optionPath: string,
  leaf: LeafRules,
  fallback: { readonly anchors: AnchorSet; readonly until: number } | undefined,
): AnchorSource {
  const rules = parseLoteRules(value, optionPath);
  if (fallback !== undefined && rules.store === undefined) {
    const why =
      'it remembers across restarts that a list was accepted, from when on the anchors never count again';
    throw invalid(
      `${optionPath}.store`,
      `must be the store of the flows where anchorsValidUntil is set: ${why}`,
    );
  }
  const memory = sequenceMemory(rules);
  const anchorsIn = anchorReader(rules, leaf);
  /** True once it is known that no list was ever accepted: until then no fallback anchor counts (L19). */
  let isFirst = false;

  const load = async (runtime: Runtime): Promise<Loaded<AnchorSet>> => {
    const newest = await memory.read();
    isFirst = newest.size === 0;
    const { reply, whyNot } = await fetchDocument(runtime, rules.url, bounds);
    enforce('L17', reply !== undefined, `it ${whyNot}.`);
    const at = runtime.clock().getTime();
    const list = await checkList(reply.text, rules, at);
    checkSequence(list, newest, rules);
    const anchors = anchorsIn(list.entities, at);
    await memory.advance(list);
    isFirst = false;
    const countsUntil = Math.min(list.nextUpdate, at + rules.maxStale);
    const freshUntil = Math.min(countsUntil, at + Math.max(freshFor(reply), cooldownMs));
    // What was checked with the same anchors stays checked (L20).
    const before = lists.latest();
    const value = before !== undefined && printOf(before) === printOf(anchors) ? before : anchors;
    return { value, at, freshUntil, countsUntil };
  };

  /** One fetch for all, and none for a while after one that failed (L21). A list counts until it is stale (L18, L22). */
  const lists = remote({
    load: async (runtime: Runtime) => await load(runtime).catch(refuseList),
    cooldown: cooldownMs,
  });

  const current = async (runtime: Runtime): Promise<AnchorSet> => {
    try {
      return await lists.current(runtime);
    } catch (error) {
      const now = runtime.clock().getTime();
      if (isFirst && fallback !== undefined && now < fallback.until) return fallback.anchors;
      throw error;
    }
  };

  return {
    current,
    renew: async (runtime) => await lists.renew(runtime).catch(async () => await current(runtime)),
    generation: lists.latest,
  };
}

function printOf({ credential, statusList, leaves }: AnchorSet): string {
  const fingerprints = [credential, statusList, leaves].map((anchors) =>
    anchors.map(({ x509 }) => x509.fingerprint256),
  );
  return JSON.stringify(fingerprints);
}

/** A bad list says nothing about the presentation: a later delivery may find a good one. */
function refuseList(error: unknown): never {
  if (!(error instanceof IdentityError) || !isInOwnWords(error) || error.check === undefined) throw error;
  const message = `The list of trusted entities cannot be used: ${error.message}`;
  throw kitError('keys_unavailable', { check: error.check, message });
}
