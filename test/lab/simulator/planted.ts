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

const renewal = 'http/session/renew-session.ts';
const writer = 'http/session/write-session.ts';
const sessionData = 'http/session/session-data.ts';

/** Two for each invariant at least. */
export const faults: readonly PlantedFault[] = [
  one(
    ...(['I1', 'a release keeps the id of the session (F43)', renewal] as const),
    '      generate(req, parseSession(before));',
    '      load(req, parseSession(before));',
  ),
  {
    invariant: 'I1',
    name: 'one memory of what was kept for all sessions',
    changes: [
      {
        file: 'lib/http/guard.ts',
        was: '  const record = Object.hasOwn(all, question.name) ? all[question.name] : undefined;',
        // One for each store: with one for the whole process, a schedule would remember what the one before it kept.
        is: [
          '  const store = Object((req as { sessionStore?: object }).sessionStore) as object;',
          '  if (Object.hasOwn(all, question.name)) anyone.set(store, all[question.name]);',
          '  const record = anyone.get(store);',
        ].join('\n'),
      },
      {
        file: 'lib/http/guard.ts',
        was: 'const keptOfNobody =',
        is: 'const anyone = new WeakMap<object, KeptRecord>();\nconst keptOfNobody =',
      },
    ],
  },
  one(
    ...(['I1', 'a record is sealed without the secret of the app', 'flow/secrets.ts'] as const),
    "createHmac('sha256', secret).update(`pidgate/2 record",
    "createHmac('sha256', path).update(`pidgate/2 record",
  ),
  {
    invariant: 'I1',
    name: 'a record opens under the name of any flow',
    changes: [
      {
        file: 'lib/flow/secrets.ts',
        was: '`pidgate/2 record ${path} ${id}`',
        is: '`pidgate/2 record ${path}`',
      },
      {
        file: 'lib/flow/records.ts',
        was: '`${format} ${path} ${id}`',
        is: '`${format} ${path} ${id.slice(44)}`',
      },
    ],
  },
  one(
    ...(['I2', 'the old session is not ended', renewal] as const),
    '      await destroy(req, oldId).catch(() => undefined);\n      return true;',
    '      return false;',
  ),
  one(
    ...(['I2', 'a return without a hook takes no lock', 'flow/lock.ts'] as const),
    '  const ms = lockMs(deps.hookTimeout);\n',
    `  const ms = lockMs(deps.hookTimeout);
  if (deps.hooks.onSuccess === undefined) return { hasWaited: false, hasTime: () => true, unlock: async () => undefined };\n`,
  ),
  one(
    ...(['I2', 'a code is revoked without a lock where the store has no room', 'flow/return.ts'] as const),
    'await tryLock(deps, owner, id, revocationMs);',
    "await tryLock(deps, owner, id, revocationMs).catch(() => ({ unlock: undefined, heldFor: '' }));",
  ),
  one(
    ...(['I3', 'a lock that is held is taken all the same', 'flow/lock.ts'] as const),
    '  if (held.value !== freeLock) return',
    '  if (held.value === name) return',
  ),
  one(
    ...(['I3', 'a hook that took too long gives its lock or lease back', 'flow/hooks.ts'] as const),
    "boolean => error?.code === 'hook_timeout'",
    "boolean => error?.code === 'hook_was_late'",
  ),
  one(
    ...(['I3', 'a hook that was late keeps the session of its request', 'http/return-session.ts'] as const),
    '      renewal.disarm(lateHook, hook);\n',
    '',
  ),
  one(
    ...(['I3', 'what a late hook has under way is not ended', renewal] as const),
    '      void Promise.resolve(hook).then(destroyAgain, destroyAgain);\n',
    '',
  ),
  one(
    ...(['I3', 'a return goes on without a lock where the store has no room', 'flow/lock.ts'] as const),
    '  if (await storeCalls.create(name, value, ms)) return locked;',
    `  const isTaken = await storeCalls.create(name, value, ms).catch((full) => full.code === 'store_full');
  if (isTaken) return locked;`,
  ),
  one(
    ...(['I3', 'a lock is given back by its version, whoever has it (F118)', 'flow/lock.ts'] as const),
    `    if (mayBeOver()) return;
    const held = await storeCalls.read(name);
    if (held?.value === value && !mayBeOver()) await storeCalls.replace(name, held.version, freeLock, 1);
`,
    '    if (ms > 0) await storeCalls.replace(name, 1, freeLock, 1);\n',
  ),
  one(
    ...(['I3', 'a lock is given back in the last seconds of its life (F118)', 'flow/lock.ts'] as const),
    'stopwatch(ms - callMs)',
    'stopwatch(Infinity)',
  ),
  one(
    ...(['I3', 'a process that stood still begins its hook all the same (F118)', 'flow/lock.ts'] as const),
    'hasTime: () => !isLate()',
    'hasTime: () => !isLate() || true',
  ),
  one(
    ...(['I3', 'a hook that throws counts as one that ended well', 'flow/return.ts'] as const),
    "if (success.kind === 'done') return destination(deps, record, success.redirectTo);",
    "if (success.kind !== 'refused') return destination(deps, record, success.redirectTo);",
  ),
  one(
    ...(['I4', 'a return writes the session as it had read it before its hook', writer] as const),
    '  const now = await stored(req, id);',
    '  const now = isRenewing(req) ? JSON.parse(JSON.stringify(sessionOf(req))) : await stored(req, id);',
  ),
  one(
    ...(['I4', 'forget erases in its copy of a session that has ended', writer] as const),
    "  if (hasOwn(session, kit)) throw new IdentityError('session_ended');",
    '  if (hasOwn(session, kit)) putOwn(session, kit, change(session));',
  ),
  one(
    ...(['I4', 'forget says nothing where the session has ended', writer] as const),
    "  if (hasOwn(session, kit)) throw new IdentityError('session_ended');",
    '',
  ),
  one(
    ...(['I4', 'forget gives the session no other owner', writer] as const),
    '  const owner = newSecret();',
    '  const owner = ownerOf(session, sessionIdOf(req)).text;',
  ),
  one(
    ...(['I4', 'two calls of forget in one request do not wait for each other (F116)', writer] as const),
    '(turns.get(req) ?? Promise.resolve()).then(',
    'Promise.resolve().then(',
  ),
  one(
    ...(['I5', 'forget saves a copy that another request has made stale (F115)', writer] as const),
    'if (sessionDataOf(req) !== session || !isAsStored(session, now)) throw',
    'if (sessionDataOf(req) !== session) throw',
  ),
  one(
    ...(['I5', 'a request that has forgotten saves its copy once more at its end (F115)', writer] as const),
    '!== undefined) return;',
    '!== undefined) {\n      session[kit.key] = `left`;\n      return;\n    }',
  ),
  one(
    ...(['I5', 'a forget that failed leaves its change in the request (F117)', writer] as const),
    '      putBack();\n',
    '',
  ),
  one(
    ...(['I5', 'after a forget that failed the whole copy is saved (F117)', writer] as const),
    'if (isAsStored(session, now)) countAsSaved(req, session);',
    '',
  ),
  one(
    ...(['I5', 'a start writes the session as it was handed (F44)', writer] as const),
    '  const now = await stored(req, id);',
    `  const isStart = req.method === 'POST' && req.baseUrl !== '';
  const now = isStart ? JSON.parse(JSON.stringify(sessionOf(req))) : await stored(req, id);`,
  ),
  one(
    ...(['I5', "a hook's copy wins over what was stored meanwhile (F58)", renewal] as const),
    'const all = Object.assign(Object.create(null) as Record<string, unknown>, now);',
    'const all = Object.assign(Object.create(null) as Record<string, unknown>, now, changed);',
  ),
  {
    invariant: 'I5',
    name: 'the old session ends before the new one is saved (F47)',
    changes: [
      { file: `lib/${writer}`, was: 'import { countAsSaved,', is: 'import { countAsSaved, destroy,' },
      {
        file: `lib/${writer}`,
        was: '  await save(req);\n  return changed;',
        is: '  if (isRenewing(req)) await destroy(req, id);\n  await save(req);\n  return changed;',
      },
    ],
  },
  one(
    ...(['I5', "a start saves its request's own copy", writer] as const),
    '    load(req, withCookieOf(session, now));\n',
    '',
  ),
  one(
    ...(['I5', 'a start sends the cookie that the browser has', 'http/start.ts'] as const),
    'if (needsCookie) sender = sendWithSession;',
    'sender = needsCookie ? sendWithSession : sendWithSession;',
  ),
  one(
    ...(['I5', 'a start whose session is gone makes another one', writer] as const),
    "if (mayHaveAnother || hasOwn(sessionOf(req), kit)) throw new Stop('session_left');",
    "if (mayHaveAnother === undefined) throw new Stop('session_left');",
  ),
  one(
    ...(['I6', 'two starts of one session have two owners', sessionData] as const),
    'sha256(`pidgate/2 owner ${sessionId}`)',
    'sha256(`pidgate/2 owner ${sessionId} ${Math.random()}`)',
  ),
  one(
    ...(['I6', 'a start renews no cookie', writer] as const),
    'namesSession(req) && (next === undefined || known > last.until)',
    'namesSession(req)',
  ),
  one(
    ...(['I6', 'a record that does not open is unknown', 'flow/records.ts'] as const),
    "throw kitError('store_unavailable', { message: unreadable });",
    'return { expiresAt: 0 } as FlowRecord;',
  ),
  one(
    ...(['I6', 'a secret that is not the first opens nothing', 'flow/records.ts'] as const),
    'for (const secret of older)',
    'for (const secret of older.slice(1))',
  ),
  {
    invariant: 'I6',
    name: 'the lock is never given back',
    changes: [
      {
        file: 'lib/flow/lock.ts',
        was: 'await storeCalls.replace(name, held.version, freeLock, 1);',
        is: 'await Promise.resolve(held.version);',
      },
      { file: 'lib/flow/lock.ts', was: 'lockMs(deps.hookTimeout)', is: '86_400_000' },
    ],
  },
  one(
    ...(['I6', 'the page that reloads does not count', 'http/return.ts'] as const),
    '&reload=${reloadsOf(req) + 1}',
    '&reload=1',
  ),
  one(
    ...(['I7', 'the guard does not ask who is logged in', 'http/guard.ts'] as const),
    'if (kit.config.subject !== undefined && record.subject !== subjectOf(kit, req)) {',
    'if (false) {',
  ),
  one(
    ...(['I7', 'the guard does not ask for which question (F53)', 'http/guard.ts'] as const),
    'record.asked !== questionDigestOf(kit.flow, question) || ',
    '',
  ),
  one(
    ...(['I8', 'an event quotes the context', 'flow/return.ts'] as const),
    "  emitEvent(deps, 'confirmed', aboutFlow(flow));",
    "  emitEvent(deps, 'confirmed', { ...aboutFlow(flow), question: JSON.stringify(flow.record.context) });",
  ),
  one(
    ...(['I8', 'a trace names the state', 'flow/callback.ts'] as const),
    'trace(traces.callback, () => deliver(deps, received, place), place.id)',
    'trace(traces.callback, () => deliver(deps, received, place), state)',
  ),
  one(
    ...(['I8', 'the address after a release has the code', 'http/return-session.ts'] as const),
    'sendWithSession.redirect(res, location);',
    'sendWithSession.redirect(res, `${location}#${res.req.originalUrl}`);',
  ),
  one(
    ...(['I9', 'a delivery that finds a lease is refused for good', 'flow/callback.ts'] as const),
    "return endOf('lease_held');",
    "return endOf('lease_held', { error: new IdentityError('refused') });",
  ),
  one(
    ...(['I9', 'a store that is away is a fault of the kit', 'http/respond.ts'] as const),
    "return isKitErrorCode(code) && code !== 'service_error' ? status : 502;",
    "return isKitErrorCode(code) && code !== 'service_error' && status !== 503 ? status : 502;",
  ),
  one(...(['I10', 'a timer is left', 'internal/timeouts.ts'] as const), '        clearTimeout(timer);\n', ''),
  one(
    ...(['I10', 'a lock that was given back stays in the store', 'flow/lock.ts'] as const),
    'storeCalls.replace(name, held.version, freeLock, 1)',
    'storeCalls.replace(name, held.version, freeLock, 86_400_000)',
  ),
];
