import * as z from 'zod';

/** The claim of a PID for each attribute of the interface. */
export const claimNames = {
  family_name: 'family_name',
  given_name: 'given_name',
  birth_date: 'birthdate',
  nationality: 'nationalities',
} as const;

/** The codes of the interface, with the status of each. Of several that apply, the first one is told. */
export const statuses = {
  error_missing_parameter: 400,
  error_missing_state: 400,
  error_wrong_issuer: 400,
  error_invalid_attribute: 400,
  error_invalid_body: 400,
  error_api_key: 401,
  error_account: 401,
  error_internal: 500,
} as const;

type Code = keyof typeof statuses;

/** Why a request is refused. */
export class Refusal extends Error {
  readonly code: Code;

  constructor(code: Code, description: string) {
    super(description);
    this.code = code;
  }
}

const attributes = Object.keys(claimNames) as (keyof typeof claimNames)[];
const country = z
  .string()
  .regex(/^[A-Z]{2}$/, { abort: true, error: 'must be a code of two letters, such as DE' });
/** No open verifier computes an answer, and the bridge passes on what the wallet signed: so none can be derived. */
const derived = z
  .strictObject({ nationality: country.optional() })
  .refine(
    ({ nationality }) => nationality === undefined,
    'nothing can be derived here: reveal nationality, and keep a yes or no',
  );

const schemaFor = (issuer: string) =>
  z.strictObject({
    issuer: z.literal(issuer),
    revealed: z.array(z.enum(attributes)).min(1),
    state: z
      .string()
      .min(1)
      .max(1_024)
      .refine((text) => Buffer.from(text).toString() === text, 'must be of whole characters'),
    same_device: z.boolean().default(false),
    derived: derived.optional(),
  });

export type ProveRequest = z.infer<ReturnType<typeof schemaFor>>;

/** Checks the body of `POST /prove`, in both variants of the interface. */
export function checkProveRequest(type: string | undefined, bytes: unknown, ourIssuer: string): ProveRequest {
  const read = schemaFor(ourIssuer).safeParse(readBody(type, bytes), { reportInput: true });
  if (read.success) return read.data;
  const refusals = read.error.issues.map((issue) => {
    const at = issue.path.length === 0 ? 'the body' : issue.path.join('.');
    return new Refusal(codeOf(issue), `The request is not valid: ${at}: ${issue.message}.`);
  });
  const [first] = Object.keys(statuses).flatMap((code) =>
    refusals.filter((refusal) => refusal.code === code),
  );
  throw first ?? new Error('A body that is not valid has an issue.');
}

function codeOf({ code, path: [member, ...inside], input }: z.core.$ZodIssue): Code {
  if (member === 'state' && (input === undefined || input === '')) return 'error_missing_state';
  if (member === 'issuer') return input === undefined ? 'error_missing_parameter' : 'error_wrong_issuer';
  if (member === 'revealed' && input === undefined) return 'error_missing_parameter';
  if (member === 'revealed' && inside.length > 0) return 'error_invalid_attribute';
  const isNotForUs = code === 'custom' || code === 'unrecognized_keys';
  return member === 'derived' && isNotForUs ? 'error_invalid_attribute' : 'error_invalid_body';
}

/** Undefined: no JSON in UTF-8, or not sent as application/json. */
function readBody(type: string | undefined, bytes: unknown): unknown {
  if (type?.replace(/;.*/s, '').trim().toLowerCase() !== 'application/json') return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes as Buffer));
  } catch {
    return undefined;
  }
}
