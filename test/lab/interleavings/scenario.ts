import fc from 'fast-check';
import type { Actor, Terms } from './life.js';
import type { Choices } from './steps.js';

/** How a run of a hook ends; `late` never answers. */
export type HookPlan = 'ok' | 'redirects' | 'throws' | 'refuses' | 'late';

/** How handing over to the session ends: its store fails, or something stands against it. */
export type SavePlan = 'saved' | NonNullable<Actor['unsaved']>;

/** What becomes of one call of the store. */
export type Fault = 'fails before' | 'fails after' | 'hangs';

export type Deed =
  | { readonly kind: 'callback'; readonly body: string; readonly process: number }
  | {
      readonly kind: 'return';
      readonly owner: boolean;
      readonly fits: boolean;
      readonly process: number;
    }
  | {
      readonly kind: 'clock';
      readonly by: number | 'to the deadline' | 'just before the deadline';
      /** So many steps come before it, if there are that many. */
      readonly after: number;
    };

/** Everything that one run is made of; the same scenario is the same run. */
export interface Scenario extends Choices {
  readonly form: Terms['form'];
  /** The first run of a hook ends as its first plan says, and so on, and then well; undefined: there is no such hook. */
  readonly onVerified: readonly HookPlan[] | undefined;
  readonly onSuccess: readonly HookPlan[] | undefined;
  readonly onError: readonly HookPlan[] | undefined;
  /** What becomes of the first writes into the session. */
  readonly saves: readonly SavePlan[];
  /** Which of the first answers to a return do not arrive. */
  readonly lostAnswers: readonly boolean[];
  readonly serviceTakes: boolean;
  /** How long the store keeps what it could have let go. */
  readonly storeIsLate: number;
  /** The answer of the store arrives in a step of its own. */
  readonly twoSteps: boolean;
  /** Callbacks may come while the start is still under way. */
  readonly early: boolean;
  readonly faults: readonly { readonly call: number; readonly fault: Fault }[];
  readonly deeds: readonly Deed[];
}

const bodies = ['good', 'good', 'good', 'good too', 'bad 1', 'bad 1', 'bad 2', 'error 1', 'away'];
const manyBad = ['bad 3', 'bad 4', 'bad 5', 'bad 6', 'bad 7'];
const jumps = [
  15,
  300,
  1_100,
  6_000,
  15_000,
  130_000,
  'just before the deadline',
  'to the deadline',
] as const;

const process = fc.nat(1);
const callback = (from: readonly string[]): fc.Arbitrary<Deed> =>
  fc.record({ kind: fc.constant('callback' as const), body: fc.constantFrom(...from), process });
const back: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constant('return' as const),
  owner: fc.oneof({ arbitrary: fc.constant(true), weight: 3 }, fc.constant(false)),
  fits: fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false)),
  process,
});
const clock: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constant('clock' as const),
  by: fc.constantFrom(...jumps),
  after: fc.nat(50),
});

/** A bit of everything. */
const wide = fc
  .tuple(
    fc.array(callback(bodies), { minLength: 2, maxLength: 5 }),
    fc.array(back, { minLength: 0, maxLength: 4 }),
    fc.array(clock, { minLength: 0, maxLength: 3 }),
    fc.oneof(
      { arbitrary: fc.constant([]), weight: 9 },
      fc.array(callback(manyBad), { minLength: 5, maxLength: 7 }),
    ),
  )
  .map((parts) => parts.flat());

const at = (by: (typeof jumps)[number], after: number): Deed => ({ kind: 'clock', by, after });
/** At any step of few requests a lease may run out, or the deadline pass by a little. */
const moments = fc.oneof(
  fc.nat(40).map((after) => [at(15_000, after)]),
  fc.tuple(fc.nat(30), fc.nat(10)).map(([before, then]) => {
    return [at('just before the deadline', before), at(15, before + then)];
  }),
);
const narrow = fc
  .tuple(
    fc.oneof(
      fc.tuple(callback(['good']), callback(['good', 'good too', 'bad 1'])),
      fc.tuple(callback(['good']), back, back),
    ),
    moments,
  )
  .map((parts) => parts.flat());

const deeds = fc.oneof(wide, narrow);

const hook = fc.option(
  fc.array(
    fc.oneof(
      { arbitrary: fc.constant<HookPlan>('ok'), weight: 3 },
      fc.constantFrom<HookPlan>('redirects', 'throws', 'refuses', 'late'),
    ),
    { maxLength: 2 },
  ),
  { nil: undefined },
);

const save = fc.oneof(
  { arbitrary: fc.constant<SavePlan>('saved'), weight: 3 },
  fc.constantFrom<SavePlan>('fails', 'session_left', 'subject_changed', 'return_abandoned'),
);

const faults = fc.oneof(
  { arbitrary: fc.constant([]), weight: 2 },
  fc.array(
    fc.record({
      call: fc.integer({ min: 1, max: 25 }),
      fault: fc.constantFrom<Fault>('fails before', 'fails after', 'hangs'),
    }),
    { minLength: 1, maxLength: 2 },
  ),
);

/** More choices than a run has steps where it matters. */
const choices = fc.array(fc.nat(59), { minLength: 160, maxLength: 160, size: 'max' });

export const scenarios: fc.Arbitrary<Scenario> = fc.record({
  form: fc.oneof({ arbitrary: fc.constant('return' as const), weight: 3 }, fc.constant('callback' as const)),
  onVerified: hook,
  onSuccess: hook,
  onError: hook,
  saves: fc.array(save, { maxLength: 2 }),
  lostAnswers: fc.oneof(
    { arbitrary: fc.constant([]), weight: 2 },
    fc.array(fc.boolean(), { minLength: 1, maxLength: 2 }),
  ),
  storeIsLate: fc.constantFrom(0, 0, 60_000, 900_000),
  serviceTakes: fc.oneof({ arbitrary: fc.constant(true), weight: 9 }, fc.constant(false)),
  twoSteps: fc.constant(true),
  early: fc.boolean(),
  faults,
  deeds,
  choices,
  eager: fc.boolean(),
  still: fc.option(fc.record({ deed: fc.nat(3), from: fc.nat(40), steps: fc.nat(40) }), { nil: undefined }),
});
