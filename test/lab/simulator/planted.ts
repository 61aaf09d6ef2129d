import type { Planted } from './bundle.js';

/** A fault that the simulator must find: one that the kit once had, with its number, or one that it never had. */
export interface PlantedFault {
  /** What it breaks. Other invariants may break with it, and are not looked at. */
  readonly invariant: string;
  readonly name: string;
  readonly changes: readonly Planted[];
}

const one = (invariant: string, name: string, file: string, was: string, is: string): PlantedFault => ({
  invariant,
  name,
  changes: [{ file: `lib/${file}`, was, is }],
});

const regenerate = 'http/session/regenerate.ts';
const sessionData = 'lib/http/session/session-data.ts';

/** Two for each invariant at least. */
export const faults: readonly PlantedFault[] = [
  one(
    ...(['I1', 'a release keeps the id of the session (F43)', regenerate] as const),
    '      generate(req, parseSession(before));',
    '      load(req, parseSession(before));',
  ),
  {
    invariant: 'I1',
    name: 'one memory of what was kept for all sessions',
    changes: [
      {
        file: sessionData,
        was: 'if (before?.text === text) return before.kept;',
        is: "if (anyone !== undefined && text !== '') return anyone;",
      },
      {
        file: sessionData,
        was: '  data[memoized] = { text, kept };',
        is: "  if (text !== '') anyone = kept;",
      },
      {
        file: sessionData,
        was: "const memoized = Symbol('pidgate kept');",
        is: "const memoized = Symbol('pidgate kept');\nlet anyone: KitSessionData['kept'] | undefined;",
      },
    ],
  },
  one(
    ...(['I2', 'the old session is not ended', regenerate] as const),
    '      await destroy(req, oldId).catch(() => undefined);\n      return true;',
    '      return false;',
  ),
  one(
    ...(['I2', 'a return without a hook takes no lease', 'flow/return.ts'] as const),
    'const leased = await takeLease(deps, stored, hooksOfReturn);',
    `const leased =
        deps.hooks.onSuccess === undefined
          ? { ...stored, lease: { holder: 'nobody', until: stored.record.expiresAt } }
          : await takeLease(deps, stored, hooksOfReturn);`,
  ),
  one(
    ...(['I3', 'a return does not look at the lease', 'flow/return.ts'] as const),
    '      if (isLeased(deps, record)) {',
    "      if (isLeased(deps, record) && record.status !== 'verified') {",
  ),
  one(
    ...(['I3', 'a hook that took too long gives its lease back', 'flow/hooks.ts'] as const),
    "({ code }: IdentityError): boolean => code === 'hook_timeout'",
    "({ code }: IdentityError): boolean => code === 'hook_was_late'",
  ),
  one(
    ...(['I3', 'a hook that throws counts as one that ended well', 'http/return.ts'] as const),
    "if ('transition' in success) return success;",
    "if ('transition' in success && success.transition === 'return_hook_refused') return success;",
  ),
  one(
    ...([
      'I4',
      'a start writes the session as it was handed (F44)',
      'http/session/write-session.ts',
    ] as const),
    '  const held = await stored(req, sessionIdOf(req));\n  if (held',
    '  const held = cloneSession(sessionOf(req));\n  if (held',
  ),
  one(
    ...(['I4', 'a return writes the session as it had read it before its hook', regenerate] as const),
    'const now = await stored(req, oldId);\n      if (now === undefined) return false;\n      const changed',
    'const now = parseSession(before);\n      const changed',
  ),
  one(
    ...([
      'I4',
      'forget erases nothing in a session just renewed (F49)',
      'http/session/write-session.ts',
    ] as const),
    '  erase(session);\n  if (now === undefined) return;',
    '  if (now === undefined) return;\n  erase(session);',
  ),
  one(
    ...(['I5', "a hook's copy wins over what was stored meanwhile (F58)", regenerate] as const),
    'const all = Object.assign(Object.create(null) as Record<string, unknown>, now);',
    'const all = Object.assign(Object.create(null) as Record<string, unknown>, now, changed);',
  ),
  one(
    ...(['I5', 'the old session ends before the new one is saved (F47)', regenerate] as const),
    '      await save(req);\n      newId',
    '      await destroy(req, oldId);\n      await save(req);\n      newId',
  ),
  one(
    ...(['I5', "a start saves its request's own copy", 'http/session/write-session.ts'] as const),
    '  if (held !== undefined) return load(req, held);\n  return req',
    '  if (held !== undefined) return sessionOf(req);\n  return req',
  ),
  {
    invariant: 'I6',
    name: 'the session lock is never returned',
    changes: [
      {
        file: 'lib/flow/return.ts',
        was: 'for (const claim of claims) await deps.records.unclaim(claim).catch(() => undefined);',
        is: 'await Promise.resolve(claims);',
      },
      { file: 'lib/flow/return.ts', was: 'Math.max(1, until - deps.clock().getTime())', is: '86_400_000' },
    ],
  },
  one(
    ...(['I6', 'the page that reloads does not count', 'http/return.ts'] as const),
    '&reload=${reloadsOf(req) + 1}',
    '&reload=1',
  ),
  one(
    ...(['I7', 'the guard does not ask who is logged in', 'http/guard.ts'] as const),
    'if (web.config.subject !== undefined && record.subject !== subjectOf(web, req)) {',
    'if (false) {',
  ),
  one(
    ...(['I7', 'the guard does not ask for which question (F53)', 'http/guard.ts'] as const),
    'record.question !== web.flow.questionOf(plan) || ',
    '',
  ),
  one(
    ...(['I8', 'an event quotes the context', 'flow/return.ts'] as const),
    "      emitEvent(deps, 'confirmed', aboutFlow(leased));",
    "      emitEvent(deps, 'confirmed', { ...aboutFlow(leased), request: JSON.stringify(record.context) });",
  ),
  one(
    ...(['I8', 'a trace names the state', 'flow/callback.ts'] as const),
    'trace(traces.callback, () => deliver(deps, callback, place), place.id)',
    'trace(traces.callback, () => deliver(deps, callback, place), state)',
  ),
  one(
    ...(['I8', 'the address after a release has the code', 'http/return.ts'] as const),
    'sendWithSession.redirect(res, location);',
    'sendWithSession.redirect(res, `${location}#${res.req.originalUrl}`);',
  ),
  one(
    ...(['I9', 'a delivery that finds a lease is refused for good', 'flow/callback.ts'] as const),
    "new IdentityError('busy')",
    "new IdentityError('refused')",
  ),
  one(
    ...(['I9', 'a store that is away is a fault of the kit', 'http/respond.ts'] as const),
    "return isKitErrorCode(code) && code !== 'service_error' ? status : 502;",
    "return isKitErrorCode(code) && code !== 'service_error' && status !== 503 ? status : 502;",
  ),
  one(
    ...(['I10', 'a timer is left', 'internal/timeouts.ts'] as const),
    '\n      .finally(() => clearTimeout(timer));',
    ';',
  ),
  one(
    ...(['I10', 'a lock that was returned stays in the store', 'flow/records.ts'] as const),
    'store.replace(id, version, freeClaim, 1)',
    'store.replace(id, version, freeClaim, 86_400_000)',
  ),
];
