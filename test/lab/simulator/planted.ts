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
        file: `lib/${sessionData}`,
        was: '  return isKept(record) ? record : undefined;',
        is: '  if (isKept(record)) anyone = record;\n  return anyone;',
      },
      {
        file: `lib/${sessionData}`,
        was: "export const ownerKey = 'pidgate';",
        is: "export const ownerKey = 'pidgate';\nlet anyone: KeptRecord | undefined;",
      },
    ],
  },
  one(
    ...(['I1', 'a record is sealed without the secret of the app', 'flow/secrets.ts'] as const),
    "createHmac('sha256', secret)",
    "createHmac('sha256', path)",
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
    ...(['I3', 'a hook that throws counts as one that ended well', 'flow/return.ts'] as const),
    "if (success.kind === 'done') return destination(deps, record, success.redirectTo);",
    "if (success.kind !== 'refused') return destination(deps, record, success.redirectTo);",
  ),
  one(
    ...(['I4', 'a start writes the session as it was handed (F44)', writer] as const),
    '  const now = await stored(req, id);',
    '  const now = take === undefined ? cloneSession(sessionOf(req)) : await stored(req, id);',
  ),
  one(
    ...(['I4', 'a return writes the session as it had read it before its hook', writer] as const),
    '  const now = await stored(req, id);',
    '  const now = isRenewing(req) ? cloneSession(sessionOf(req)) : await stored(req, id);',
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
      { file: `lib/${writer}`, was: 'import { generate,', is: 'import { destroy, generate,' },
      {
        file: `lib/${writer}`,
        was: "  await save(req);\n  return 'written';",
        is: "  if (isRenewing(req)) await destroy(req, id);\n  await save(req);\n  return 'written';",
      },
    ],
  },
  one(
    ...(['I5', "a start saves its request's own copy", writer] as const),
    'if (take === undefined) load(req, now);',
    'if (take === undefined) sessionOf(req);',
  ),
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
    'record.question !== kit.flow.questionDigestOf(question) || ',
    '',
  ),
  one(
    ...(['I8', 'an event quotes the context', 'flow/return.ts'] as const),
    "  emitEvent(deps, 'confirmed', aboutFlow(flow));",
    "  emitEvent(deps, 'confirmed', { ...aboutFlow(flow), request: JSON.stringify(flow.record.context) });",
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
];
