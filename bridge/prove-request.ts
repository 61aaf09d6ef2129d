/** The claim of a PID for each attribute of the interface. */
export const claimNames: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    family_name: 'family_name',
    given_name: 'given_name',
    birth_date: 'birthdate',
    nationality: 'nationalities',
  }),
);

export interface ProveRequest {
  readonly revealed: readonly string[];
  readonly state: string;
  readonly same_device: boolean;
}

/** The codes of the interface, with the status of each. */
export const statuses = {
  error_invalid_body: 400,
  error_missing_parameter: 400,
  error_missing_state: 400,
  error_invalid_attribute: 400,
  error_wrong_issuer: 400,
  error_api_key: 401,
  error_account: 401,
  error_internal: 500,
} as const;

/** Why a request is refused. */
export class Refusal extends Error {
  readonly code: keyof typeof statuses;

  constructor(code: keyof typeof statuses, description: string) {
    super(description);
    this.code = code;
  }
}

const names = ['issuer', 'revealed', 'state', 'same_device', 'derived'];

/** Checks the body of `POST /prove`, in both variants of the interface. */
export function checkProveRequest(type: string | undefined, bytes: unknown, ourIssuer: string): ProveRequest {
  const {
    issuer,
    revealed,
    state,
    same_device: sameDevice = false,
    derived = {},
    ...others
  } = readBody(type, bytes);
  if (issuer === undefined) throw new Refusal('error_missing_parameter', 'issuer is missing.');
  if (revealed === undefined) throw new Refusal('error_missing_parameter', 'revealed is missing.');
  if (state === undefined || state === '') throw new Refusal('error_missing_state', 'state is missing.');
  if (issuer !== ourIssuer)
    throw new Refusal('error_wrong_issuer', `This bridge asks for ${ourIssuer} only.`);
  if (!Array.isArray(revealed) || revealed.length === 0)
    throw invalid('revealed must be a list of at least one id');
  if (!revealed.every((id) => claimNames.has(id))) {
    throw new Refusal('error_invalid_attribute', `revealed may hold ${[...claimNames.keys()].join(', ')}.`);
  }
  checkDerived(derived);
  if (typeof state !== 'string' || Buffer.from(state).toString() !== state)
    throw invalid('state must be a text');
  if (typeof sameDevice !== 'boolean') throw invalid('same_device must be true or false');
  if (Object.keys(others).length > 0) throw invalid(`the body may have ${names.join(', ')}`);
  return { revealed: [...new Set(revealed as string[])], state, same_device: sameDevice };
}

/** No open verifier computes an answer, and the bridge passes on what the wallet signed: so none can be derived. */
function checkDerived(derived: unknown): void {
  if (Object(derived) !== derived || Array.isArray(derived)) throw invalid('derived must be an object');
  const { nationality, ...others } = derived as Record<string, unknown>;
  if (nationality === undefined && Object.keys(others).length === 0) return;
  const isCountry = typeof nationality === 'string' && /^[A-Z]{2}$/.test(nationality);
  if (nationality !== undefined && !isCountry) {
    throw invalid('derived.nationality must be a code of two letters, such as DE');
  }
  throw new Refusal(
    'error_invalid_attribute',
    'Nothing can be derived here: reveal nationality, and keep a yes or no.',
  );
}

function readBody(type: string | undefined, bytes: unknown): Readonly<Record<string, unknown>> {
  try {
    const isJson = type?.replace(/;.*/s, '').trim().toLowerCase() === 'application/json';
    const json: unknown =
      isJson && JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes as Buffer));
    if (Object(json) === json && !Array.isArray(json)) return json as Readonly<Record<string, unknown>>;
  } catch {
    // said below
  }
  throw invalid('the body must be a JSON object, sent as application/json in UTF-8');
}

const invalid = (why: string): Refusal =>
  new Refusal('error_invalid_body', `The request is not valid: ${why}.`);
