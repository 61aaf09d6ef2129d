import fc from 'fast-check';
import { lockMs } from '../../../lib/flow/lock.js';

/** How one run of a hook ends, and what it does to the session before. */
export type HookPlan =
  | 'well'
  | 'throws'
  | 'hangs'
  | 'refuses'
  | 'redirects'
  | 'logs in'
  | 'regenerates'
  | 'destroys'
  | 'saves'
  | 'forgets'
  | 'writes'
  | 'answers'
  | 'late'
  /** About when its time is over, and after it. */
  | 'late saves'
  | 'late regenerates'
  | 'late logs in';

/** What becomes of one call of an engine. */
export type FaultKind =
  | 'lost before'
  | 'lost after'
  | 'late'
  | 'hangs'
  | 'doubled'
  | 'old'
  /** The process that makes the call dies: before it has sent it, or when the engine has done it. */
  | 'killed before'
  | 'killed after';

export interface Fault {
  readonly engine: 'flows' | 'sessions';
  /** The number of the call. */
  readonly call: number;
  readonly kind: FaultKind;
}

/** How the service brings one callback. */
export type Delivery = 'once' | 'twice' | 'late' | 'altered' | 'error first' | 'reply lost' | 'slow' | 'lost';

export type ActionKind =
  | 'start'
  | 'approve'
  | 'decline'
  | 'return'
  | 'replay'
  | 'back'
  | 'reload'
  | 'status'
  | 'start page'
  | 'page'
  | 'log in'
  | 'log out'
  | 'soft log out'
  /** In a route that does nothing else, works on after it, and calls it once, twice at once, of two factories, or with a write that fails. */
  | 'forget'
  | 'switch account'
  | 'change account'
  | 'basket'
  | 'copy cookie'
  | 'kill'
  /** A process stands still for longer than a lock lives. */
  | 'stop'
  | 'deploy'
  | 'clock'
  | 'clock jump'
  /** Mallory can write to the flow store. */
  | 'tamper';

export interface Action {
  readonly does: ActionKind;
  /** Which of the four browsers: two of Alice's, two of Mallory's. */
  readonly browser: number;
  /** Milliseconds since the action before. */
  readonly after: number;
  /** Which link or address, of those that this browser knows; the newest is 0. */
  readonly which: number;
  /** Which machine answers. */
  readonly machine: number;
  /** Which of the two questions it is about, and which guarded page. */
  readonly about: 'club' | 'vault';
  /** A program of the page asks, not the browser. */
  readonly isScript: boolean;
  /** The line breaks after so many milliseconds; undefined: it holds. */
  readonly cut: number | undefined;
  /** The rest of what is posted comes so many milliseconds later. */
  readonly hold: number | undefined;
  readonly delivery: Delivery;
}

export interface Middleware {
  readonly resave: boolean;
  readonly rolling: boolean;
  readonly saveUninitialized: boolean;
  readonly unset: 'keep' | 'destroy';
  readonly touch: boolean;
  readonly sameSite: 'lax' | 'strict';
  /** How long the browser keeps the cookie: `cookie.maxAge`. */
  readonly maxAge: number | undefined;
  /** Log-ins are passport's. */
  readonly passport: boolean;
}

/** Everything that one schedule is made of, beside the seed of its latencies. */
export interface Plan {
  readonly seed: number;
  readonly store: 'own' | 'redis' | 'postgres' | 'mysql';
  readonly middleware: Middleware;
  /** In the middle of a rotation, or the second machine seals under another one than the first. */
  readonly secrets: 'one' | 'rotating' | 'forgotten';
  /** The flow store refuses every second lock. */
  readonly isFull: boolean;
  readonly hasOnVerified: boolean;
  readonly hasOnSuccess: boolean;
  readonly hasSubject: boolean;
  readonly onError: 'nothing' | 'redirects' | 'throws';
  /** Somebody listens to the tracing channels. */
  readonly isTraced: boolean;
  /** Hooks take half their time; and each write of the flow store takes about as long as the kit waits for it. */
  readonly pace: 'usual' | 'slow hooks' | 'slow writes';
  readonly hooks: readonly HookPlan[];
  readonly faults: readonly Fault[];
  /** How far the clock of the second machine is off, in seconds. */
  readonly skew: number;
  readonly actions: readonly Action[];
}

/** What an app usually has. */
export const usualMiddleware: Middleware = {
  resave: false,
  rolling: false,
  saveUninitialized: false,
  unset: 'keep',
  touch: true,
  sameSite: 'lax',
  maxAge: undefined,
  passport: false,
};

/** The simplest that each setting of a plan can be. */
export const usualPlan = {
  store: 'own',
  secrets: 'one',
  isFull: false,
  hasOnVerified: false,
  hasOnSuccess: true,
  hasSubject: true,
  onError: 'nothing',
  isTraced: false,
  pace: 'usual',
  skew: 0,
} as const satisfies Partial<Plan>;

const often = <T>(usual: T, weight: number, ...rest: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight }, { arbitrary: fc.constantFrom(...rest), weight: 1 });

/** Told apart by what comes next: people mostly do what is next. */
const kinds = fc.oneof(
  { arbitrary: fc.constantFrom<ActionKind>('start', 'approve', 'return'), weight: 9 },
  {
    arbitrary: fc.constantFrom<ActionKind>('page', 'replay', 'back', 'reload', 'log in', 'log out', 'basket'),
    weight: 5,
  },
  {
    arbitrary: fc.constantFrom<ActionKind>(
      ...(['decline', 'change account', 'switch account', 'soft log out', 'copy cookie', 'status'] as const),
      ...(['start page', 'kill', 'stop', 'deploy', 'clock', 'clock jump', 'tamper', 'forget'] as const),
    ),
    weight: 2,
  },
);

const action: fc.Arbitrary<Action> = fc.record({
  does: kinds,
  browser: fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.nat(3)),
  after: fc.oneof(fc.nat(30), fc.nat(400), fc.constantFrom(2_000, 20_000)),
  which: often(0, 4, 1, 2, 3),
  machine: fc.nat(1),
  about: often<'club' | 'vault'>('club', 4, 'vault'),
  isScript: often(false, 9, true),
  cut: fc.oneof({ arbitrary: fc.constant(undefined), weight: 12 }, fc.nat(120)),
  hold: fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, fc.nat(600)),
  delivery: often<Delivery>(
    'once',
    6,
    'twice',
    'late',
    'altered',
    'error first',
    'reply lost',
    'slow',
    'lost',
  ),
});

/** What may come between two steps, or beside the last one. */
const between = fc.constantFrom<readonly ActionKind[]>(
  [],
  [],
  [],
  ['basket'],
  ['log in'],
  ['log out'],
  ['change account'],
  ['switch account'],
  ['soft log out'],
  ['forget'],
);

/** Start, wallet, return: in their order, with room for what else happens, and now and then the last one twice at once. */
const visit: fc.Arbitrary<readonly Action[]> = fc
  .record({
    browser: fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, fc.nat(3)),
    before: between,
    beside: fc.oneof(between, fc.constantFrom<readonly ActionKind[]>([], ['return'], ['start'])),
    after: fc.constantFrom<readonly ActionKind[]>([], ['page'], ['page'], ['replay'], ['log out', 'page']),
    gap: fc.nat(100),
    usual: action,
  })
  .map(({ browser, before, beside, after, gap, usual }) => {
    const one = (does: ActionKind, wait: number): Action => ({
      ...usual,
      does,
      browser,
      which: 0,
      after: wait,
      cut: does === 'return' ? usual.cut : undefined,
    });
    return [
      one('start', 150),
      ...before.map((does) => one(does, 120)),
      one('approve', 200),
      one('return', 150),
      ...beside.map((does) => one(does, gap)),
      ...after.map((does) => one(does, 250)),
    ];
  });

/** A flow in a session whose cookie another browser has too, both of which come back with its address. */
const shared: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.nat(3), other: fc.nat(2), gap: fc.nat(400), usual: action })
  .map(({ browser, other, gap, usual }) => {
    const one = (does: ActionKind, who: number, after: number): Action => ({
      ...usual,
      does,
      browser: who,
      // The newest cookie or address of somebody else.
      which: does === 'replay' ? 2 : 0,
      after,
      cut: undefined,
      delivery: 'once',
    });
    const second = (browser + 1 + other) % 4;
    return [
      one('start', browser, 150),
      one('copy cookie', second, 150),
      one('approve', browser, 20),
      one('return', browser, 150),
      one('replay', second, gap),
      one('page', second, 400),
    ];
  });

/** A second start at once, or while the first flow comes back; and the person goes on with the one that came last. */
const race: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.nat(3), isDouble: fc.boolean(), gap: fc.nat(150), usual: action })
  .map(({ browser, isDouble, gap, usual }) => {
    const one = (does: ActionKind, after: number, which = 0): Action => ({
      ...usual,
      does,
      browser,
      which,
      after,
      isScript: false,
      cut: undefined,
      delivery: 'once',
    });
    const second = [one('approve', 900), one('return', 200), one('page', 400)];
    const first = [one('start', 150), one('approve', 700)];
    return isDouble
      ? [one('basket', 150), one('start', 200), one('start', gap % 20), ...second]
      : [...first, one('return', 200), one('start', gap), ...second];
  });

/** Somebody who takes their time, and had been on the app's pages before. */
const slow: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.nat(3), before: fc.nat(1), after: fc.nat(1), usual: action })
  .map(({ browser, before, after, usual }) => {
    const one = (does: ActionKind, which = 0): Action => ({
      ...usual,
      does,
      browser,
      which,
      after: 250,
      isScript: false,
      cut: undefined,
      delivery: 'once',
    });
    const page = one('page');
    const seen = [one('basket'), one('clock', 1), page, one('clock', before), page];
    return [...seen, one('start'), one('approve'), one('clock', after), one('return'), page];
  });

/** Mallory makes something up of what she knows, and comes back with it. */
const forging: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.integer({ min: 2, max: 3 }), which: fc.nat(1), usual: action })
  .map(({ browser, which, usual }) => {
    const one = (does: ActionKind): Action => ({
      ...usual,
      does,
      browser,
      which: 0,
      after: 250,
      isScript: false,
      cut: undefined,
      delivery: 'once',
    });
    const flow = [one('start'), one('approve')];
    return [...flow, ...(which === 1 ? flow : []), { ...one('tamper'), which }, one('return')];
  });

/** A request of the app whose body is not there yet when its session ends, or gets another id. */
const held: fc.Arbitrary<readonly Action[]> = fc
  .record({
    browser: fc.nat(3),
    forgets: fc.constantFrom<ActionKind>('soft log out', 'switch account'),
    meanwhile: fc.constantFrom<readonly ActionKind[]>(
      ...([['log out'], ['start', 'approve', 'return'], ['log in']] as const),
    ),
    usual: action,
  })
  .map(({ browser, forgets, meanwhile, usual }) => {
    const one = (does: ActionKind, after: number, hold?: number): Action => ({
      ...usual,
      does,
      browser,
      which: 0,
      after,
      isScript: false,
      cut: undefined,
      hold,
      delivery: 'once',
    });
    return [
      ...(['start', 'approve', 'return'] as const).map((does) => one(does, 200)),
      one(forgets, 300, 900),
      ...meanwhile.map((does) => one(does, 200)),
      one('page', 500),
    ];
  });

/** What one browser does in a scene: nothing of it is cut, held or doubled, where that is not the scene. */
const plainly =
  (usual: Action, browser: number) =>
  (does: ActionKind, after: number, more: Partial<Action> = {}): Action => ({
    ...usual,
    does,
    browser,
    which: 0,
    after,
    isScript: false,
    cut: undefined,
    hold: undefined,
    delivery: 'once',
    ...more,
  });

/** What is kept is forgotten, by a request with a slow body that works on after it, while other requests change the session. */
const forgetting: fc.Arbitrary<readonly Action[]> = fc
  .record({
    browser: fc.nat(3),
    which: fc.nat(3),
    hold: fc.oneof(fc.constant(undefined), fc.nat(400)),
    meanwhile: fc.array(
      fc.constantFrom<ActionKind>('basket', 'basket', 'change account', 'soft log out', 'log out', 'forget'),
      { maxLength: 3 },
    ),
    gap: fc.nat(300),
    usual: action,
  })
  .map(({ browser, which, hold, meanwhile, gap, usual }) => {
    const one = plainly(usual, browser);
    return [
      ...(['start', 'approve', 'return'] as const).map((does) => one(does, 300)),
      one('forget', 400, { which, hold }),
      ...meanwhile.map((does) => one(does, gap)),
      one('page', 600),
    ];
  });

/**
 * A return whose process stands still for longer than its lock lives, and goes on while another return of the same session
 * has the lock, and a third one waits for it.
 */
const stopped: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.nat(3), gap: fc.nat(300), machine: fc.nat(1), usual: action })
  .map(({ browser, gap, machine, usual }) => {
    const one = plainly({ ...usual, machine: 1 - machine }, browser);
    const flow = [one('start', 300), one('approve', 500)];
    return [
      ...flow,
      ...flow,
      one('return', 500, { which: 1, machine }),
      one('stop', gap, { machine }),
      one('return', lockMs(10_000) + 2_000),
      one('return', 3_000),
      one('return', 500),
    ];
  });

/** A code is revoked, twice as slowly as a lock lives, and meanwhile the one whose it was comes back with another flow. */
const revoking: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.nat(3), other: fc.nat(2), gap: fc.nat(3_000), usual: action })
  .map(({ browser, other, gap, usual }) => {
    const one = plainly(usual, browser);
    const flow = [one('start', 16_000), one('approve', 6_000)];
    // The older of the two addresses, of somebody else.
    const replay = one('replay', 16_000, { browser: (browser + 1 + other) % 4, which: 3 });
    return [
      ...flow,
      ...flow,
      replay,
      one('return', 10_200 + gap),
      one('return', 3_500, { machine: 1 - usual.machine }),
      one('return', 500, { machine: 1 - usual.machine }),
    ];
  });

/** An address that another browser opens too, at about the same time. */
const rivals: fc.Arbitrary<readonly Action[]> = fc
  .record({ browser: fc.nat(3), other: fc.nat(2), gap: fc.nat(250), usual: action })
  .map(({ browser, other, gap, usual }) => {
    const one = (does: ActionKind, who: number, after: number): Action => ({
      ...usual,
      does,
      browser: who,
      which: does === 'replay' ? 2 : 0,
      after,
      isScript: false,
      cut: undefined,
      delivery: 'once',
    });
    const flow = [one('start', browser, 150), one('approve', browser, 150)];
    return [...flow, one('replay', (browser + 1 + other) % 4, 150), one('return', browser, gap)];
  });

const hook: fc.Arbitrary<HookPlan> = often<HookPlan>(
  'well',
  5,
  'throws',
  'hangs',
  'refuses',
  'redirects',
  'logs in',
  'regenerates',
  'destroys',
  'saves',
  'forgets',
  'writes',
  'answers',
  'late',
  'late saves',
  'late regenerates',
  'late logs in',
);

const fault: fc.Arbitrary<Fault> = fc.record({
  engine: fc.constantFrom('flows' as const, 'sessions' as const),
  call: fc.nat(40),
  kind: fc.constantFrom<FaultKind>(
    ...(['lost before', 'lost after', 'late', 'hangs', 'doubled', 'old'] as const),
    ...(['killed before', 'killed after'] as const),
  ),
});

export const plans: fc.Arbitrary<Plan> = fc.record({
  seed: fc.nat(2 ** 31 - 1),
  middleware: fc.record({
    resave: often(false, 4, true),
    rolling: often(false, 3, true),
    saveUninitialized: often(false, 3, true),
    unset: often<'keep' | 'destroy'>('keep', 3, 'destroy'),
    touch: fc.boolean(),
    sameSite: often<'lax' | 'strict'>('lax', 3, 'strict'),
    maxAge: often<number | undefined>(undefined, 3, 60 * 60_000, 12 * 60_000, 8 * 60_000),
    passport: often(false, 2, true),
  }),
  store: often<Plan['store']>('own', 1, 'redis', 'postgres', 'mysql'),
  secrets: often<Plan['secrets']>('one', 6, 'rotating', 'forgotten'),
  isFull: often(false, 5, true),
  hasOnVerified: fc.boolean(),
  hasOnSuccess: often(true, 4, false),
  hasSubject: often(true, 5, false),
  onError: often<Plan['onError']>('nothing', 3, 'redirects', 'throws'),
  isTraced: often(false, 5, true),
  pace: often<Plan['pace']>('usual', 3, 'slow hooks', 'slow writes'),
  hooks: fc.array(hook, { maxLength: 4 }),
  faults: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, fc.array(fault, { maxLength: 3 })),
  skew: often(0, 5, 90, -90, 300, -300),
  actions: fc
    .array(
      fc.oneof(
        { arbitrary: visit, weight: 8 },
        { arbitrary: shared, weight: 1 },
        { arbitrary: race, weight: 2 },
        { arbitrary: held, weight: 1 },
        { arbitrary: slow, weight: 1 },
        { arbitrary: forging, weight: 1 },
        { arbitrary: rivals, weight: 1 },
        { arbitrary: forgetting, weight: 2 },
        { arbitrary: stopped, weight: 2 },
        { arbitrary: revoking, weight: 2 },
        { arbitrary: action.map((one) => [one]), weight: 20 },
      ),
      { minLength: 2, maxLength: 9 },
    )
    .map((parts) => parts.flat()),
});
