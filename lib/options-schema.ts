import { z } from 'zod';
import { configInvalid, type IdentityError } from './errors.js';
import { toMilliseconds } from './duration.js';
import { nearMiss } from './near-miss.js';
import type { AppRequest } from './options.js';
import type { Clock, FlowStore, Trust } from './ports.js';
import { attributeId } from './protocol/attributes.js';
import { variants } from './protocol/variant.js';

const fn = <T>(): z.ZodType<T> =>
  z.custom<T>((value) => typeof value === 'function', { error: 'must be a function' });

/** setTimeout takes no longer wait than 2^31 ms; a duration that only stands in a record may be longer. */
const duration = (fallback: string, most = Number.MAX_SAFE_INTEGER): z.ZodType<number, unknown> =>
  z
    .unknown()
    .optional()
    .transform((value) => toMilliseconds(value ?? fallback) ?? Number.NaN)
    .refine((ms) => ms <= most, {
      error: "must be milliseconds or a text such as '30s', '10m', '8h', '30d'",
    });

const timeout = (fallback: string): z.ZodType<number, unknown> => duration(fallback, 2 ** 31 - 1);

const count = (fallback: number): z.ZodType<number, unknown> =>
  z.int({ error: 'must be a whole number of at least 1' }).min(1).optional().default(fallback);

const segment = (fallback: string): z.ZodType<string | false, unknown> =>
  z
    .union([
      z.literal(false),
      z.string().regex(/^(\/[A-Za-z0-9_-]+)+$/, { error: 'must be a path such as /start' }),
    ])
    .optional()
    .default(fallback);

const text = z.string().min(1);
const derived = z.record(z.string(), z.string()).optional();
type ResultFunction = (result: never) => unknown;

const request = {
  reveal: z.array(attributeId).min(1),
  derived,
  purpose: text.optional(),
  keep: fn<ResultFunction>().optional(),
  successRedirect: text.optional(),
};

const store = z.custom<FlowStore>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    ['create', 'read', 'replace', 'delete'].every(
      (name) => typeof (value as Record<string, unknown>)[name] === 'function',
    ),
  { error: 'must have the functions create, read, replace and delete' },
);

const limits = z.strictObject({
  requestTimeout: timeout('10s'),
  verifyTimeout: timeout('5s'),
  hookTimeout: timeout('10s'),
  callbackBody: count(256 * 1024),
  context: count(8 * 1024),
  unfinished: count(5),
  proving: count(50),
  verifying: count(100),
});

const routes = z.strictObject({
  start: segment('/start'),
  callback: segment('/callback'),
  return: segment('/return'),
  status: segment('/status'),
});

const schema = z.strictObject({
  ...request,
  requests: z
    .record(
      z
        .string()
        .regex(/^(?!default$)[A-Za-z0-9_-]{1,64}$/, {
          error: 'a name of letters, digits, - and _, not default',
        }),
      z.strictObject(request),
    )
    .optional(),
  baseUrl: text.optional(),
  apiKey: z
    .union([text, fn<() => string | Promise<string>>()], { error: 'must be a text or a function' })
    .optional(),
  issuer: text.optional(),
  variant: z.enum(variants).optional(),
  trust: z
    .custom<Trust>((value) => typeof value === 'object' && value !== null, { error: 'must be an object' })
    .optional(),
  allowSandbox: z.boolean().optional().default(false),
  path: z
    .string()
    .regex(/^(\/[A-Za-z0-9_.~-]+)+$/, { error: 'must be a path such as /identity' })
    .optional()
    .default('/identity'),
  appUrl: z
    .union([text, z.array(text).min(1)], { error: 'must be an origin or a list of origins' })
    .optional(),
  routes: routes.optional().transform((given) => given ?? routes.parse({})),
  errorRedirect: text.optional(),
  sameDevice: z
    .union([z.literal('auto'), z.boolean(), fn<(req: AppRequest) => boolean>()], {
      error: "must be 'auto', a boolean or a function",
    })
    .optional()
    .default('auto'),
  subject: fn<(req: AppRequest) => string | undefined>().optional(),
  context: fn<(req: AppRequest) => unknown>().optional(),
  keepFor: duration('8h'),
  store: store.optional(),
  flowTtl: duration('10m'),
  confirm: z.enum(['return', 'callback']).optional().default('return'),
  limits: limits.optional().transform((given) => given ?? limits.parse({})),
  fetch: fn<typeof globalThis.fetch>().optional(),
  clock: fn<Clock>().optional(),
  onVerified: fn<(args: never) => unknown>().optional(),
  onSuccess: fn<(args: never) => unknown>().optional(),
  onError: fn<(args: never) => unknown>().optional(),
  onEvent: fn<(event: never) => unknown>().optional(),
});

/** Options that have the right shape, with the defaults that need no environment. */
export type ShapedOptions = z.infer<typeof schema>;

const knownAt: Record<string, readonly string[]> = {
  '': Object.keys(schema.shape),
  limits: Object.keys(limits.shape),
  routes: Object.keys(routes.shape),
  requests: Object.keys(request),
};

/** Judges the shape of the options; the first thing wrong is named, with what was probably meant. */
export function shapeOptions(options: unknown): ShapedOptions {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw explain(parsed.error.issues[0]);
}

function explain(issue: z.core.$ZodIssue | undefined): IdentityError {
  const path = issue?.path.map(String) ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const meant = nearMiss(name, knownAt[path[0] ?? ''] ?? []);
    const hint = meant === undefined ? '' : ` Did you mean ${[...path, meant].join('.')}?`;
    return configInvalid(`Unknown option ${[...path, name].join('.')}.${hint}`);
  }
  if (path.length === 0) return configInvalid('The options must be an object.');
  return configInvalid(`Option ${path.join('.')}: ${issue?.message ?? 'not valid'}.`);
}
