import { z } from 'zod';
import { configInvalid, type IdentityError } from '../errors.js';
import { maxTimerMs, toMilliseconds } from '../internal/timeouts.js';
import { isPlainPath } from '../internal/urls.js';
import { nearMiss, unknownName } from '../internal/former-validate.js';
import type { AppRequest, Logger } from './options.js';
import type { FlowStore } from '../types/store.js';
import type { Clock } from '../types/json.js';
import { attributeId, attributeIds } from '../service/attributes.js';
import { variants } from '../service/prove/dates.js';

const fn = <T>(): z.ZodType<T> =>
  z.custom<T>((value) => typeof value === 'function', { error: 'must be a function' });

const milliseconds = (most = Number.MAX_SAFE_INTEGER): z.ZodType<number, unknown> =>
  z
    .unknown()
    .transform((value) => toMilliseconds(value) ?? Number.NaN)
    .refine((ms) => ms <= most, {
      error: `must be milliseconds or a string such as '30s', '10m', '8h', '30d'${most === maxTimerMs ? ', at most 24 days' : ''}`,
    });

const timeout = (fallback: string): z.ZodType<number, unknown> =>
  z
    .unknown()
    .optional()
    .transform((value): unknown => (value === undefined ? fallback : value))
    .pipe(milliseconds(maxTimerMs));

const count = (fallback: number): z.ZodType<number, unknown> => {
  const error = 'must be a whole number of at least 1';
  return z.int({ error }).min(1, { error }).optional().default(fallback);
};

const segment = (fallback: string): z.ZodType<string | false, unknown> => {
  const error = 'must be a path such as /start, or false';
  const path = z.string().regex(/^(\/[A-Za-z0-9_-]+)+$/, { error });
  return z
    .union([z.literal(false), path], { error })
    .optional()
    .default(fallback);
};

const nonEmpty = z.string({ error: 'must be a string' }).min(1, { error: 'must not be empty' });

/** Treats a member that is undefined as absent. */
const present = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
    : value;

type ResultFunction = (result: never) => unknown;

const members = {
  reveal: z
    .array(attributeId, { error: 'must be a list of attribute ids' })
    .min(1, { error: 'must name at least one attribute' }),
  derived: z
    .preprocess(
      present,
      z.record(z.string(), nonEmpty, { error: 'must be an object of derived attributes' }).optional(),
    )
    .optional(),
  purpose: nonEmpty.optional(),
  keep: fn<ResultFunction>().optional(),
  keepFor: milliseconds().optional(),
  successRedirect: nonEmpty.optional(),
  issuer: nonEmpty.optional(),
};

const question = z.strictObject(members, { error: 'must be an object' });

const requestName = z.string().regex(/^(?!(?:default|__proto__)$)[A-Za-z0-9_-]{1,64}$/, {
  error: 'a request is named with letters, digits, - and _, and not default',
});

const store = z.custom<FlowStore>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    ['create', 'read', 'replace', 'delete'].every(
      (name) => typeof (value as Record<string, unknown>)[name] === 'function',
    ),
  { error: 'must have the functions create, read, replace and delete' },
);

const logger = z.custom<Logger | false>(
  (value) =>
    value === false ||
    (typeof value === 'object' &&
      value !== null &&
      ['error', 'warn'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')),
  { error: 'must have the functions error and warn, or be false' },
);

const limits = z.strictObject({
  requestTimeout: timeout('10s'),
  verifyTimeout: timeout('5s'),
  hookTimeout: timeout('10s'),
  callbackBytes: count(256 * 1024),
  contextBytes: count(8 * 1024),
  keptBytes: count(8 * 1024),
  pendingPerSession: count(5),
  concurrentStarts: count(50),
  concurrentVerifications: count(100),
});

const routes = z.strictObject({
  start: segment('/start'),
  callback: segment('/callback'),
  return: segment('/return'),
  status: segment('/status'),
});

const schema = z.strictObject({
  ...members,
  // Without it there is no question at the top, only those in `requests`.
  reveal: members.reveal.optional(),
  requests: z
    .preprocess(
      present,
      z.record(requestName, question, { error: 'must be an object of requests' }).optional(),
    )
    .optional(),
  baseUrl: nonEmpty.optional(),
  apiKey: z
    .union([nonEmpty, fn<() => string | Promise<string>>()], { error: 'must be a string or a function' })
    .optional(),
  variant: z.enum(variants).optional(),
  trust: z
    .preprocess(
      present,
      z.record(z.string(), z.unknown(), { error: 'must be an object by issuer id' }).optional(),
    )
    .optional(),
  allowSandbox: z.boolean({ error: 'must be true or false' }).optional().default(false),
  path: z
    .string()
    .refine(isPlainPath, { error: 'must be a path such as /identity' })
    .optional()
    .default('/identity'),
  appUrl: z
    .union([nonEmpty, z.tuple([nonEmpty], nonEmpty)], { error: 'must be an origin or a list of origins' })
    .optional(),
  routes: routes.optional().transform((given) => given ?? routes.parse({})),
  errorRedirect: nonEmpty.optional(),
  sameDevice: z
    .union([z.literal('auto'), z.boolean(), fn<(req: AppRequest) => boolean>()], {
      error: "must be 'auto', a boolean or a function",
    })
    .optional()
    .default('auto'),
  subject: fn<(req: AppRequest) => string | undefined>().optional(),
  context: fn<(req: AppRequest) => unknown>().optional(),
  store: store.optional(),
  flowTtl: timeout('10m'),
  confirm: z.enum(['return', 'callback']).optional().default('return'),
  limits: limits.optional().transform((given) => given ?? limits.parse({})),
  pages: z.unknown().optional(),
  logger: logger.optional().default(() => console),
  fetch: fn<typeof globalThis.fetch>().optional(),
  clock: fn<Clock>().optional(),
  onVerified: fn<(args: never) => unknown>().optional(),
  onSuccess: fn<(args: never) => unknown>().optional(),
  onError: fn<(args: never) => unknown>().optional(),
  onEvent: fn<(event: never) => unknown>().optional(),
});

/** Options of the right shape, with the defaults that need no environment. */
export type ShapedOptions = z.infer<typeof schema>;

const knownAt: Record<string, readonly string[]> = {
  '': Object.keys(schema.shape),
  limits: Object.keys(limits.shape),
  routes: Object.keys(routes.shape),
  requests: Object.keys(members),
  ask: Object.keys(members),
};

/** A question of the right shape. */
export type ShapedQuestion = z.infer<typeof question>;

/** Parses the shape of the options. The error specifies the first fault, with what was probably meant. */
export function shapeOptions(options: unknown): ShapedOptions {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw explain(parsed.error, options, []);
}

/** Parses the shape of a question that `ask` is given. */
export function shapeQuestion(value: unknown, place: string): ShapedQuestion {
  const parsed = question.safeParse(value);
  if (parsed.success) return parsed.data;
  throw explain(parsed.error, value, [place]);
}

function explain({ issues }: z.ZodError, options: unknown, place: readonly string[]): IdentityError {
  // A mistyped name explains why another option seems to be missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const inside = issue?.path.map(String) ?? [];
  const path = [...place, ...inside];
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    return unknownName(name, knownAt[path[0] ?? ''] ?? [], path.join('.'));
  }
  if (path.length === 0) return configInvalid('The options must be an object.');
  const why = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  return configInvalid(`Option ${path.join('.')}: ${why}.${attributeMeant(inside, options)}`);
}

/** Returns a hint for a mistyped attribute, because an element of `reveal` is a name too. */
function attributeMeant(path: readonly string[], options: unknown): string {
  if (path.at(-2) !== 'reveal') return '';
  const given = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], options);
  const meant = typeof given === 'string' ? nearMiss(given, attributeIds) : undefined;
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
