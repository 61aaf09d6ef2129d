import type { PlantedFault } from '../issuers/faults.js';

/** Where a scenario departs from what usually happens. */
type Phase = 'wallet' | 'proof' | 'callback' | 'return' | 'prove';

/** How a good app ends. */
export type Ending = 'verified' | 'refused' | 'not_started';

export interface Scenario {
  readonly phase: Phase;
  /** What happens, in one sentence. */
  readonly says: string;
  /** What a good app shows. */
  readonly expects: string;
  readonly ending: Ending;
  /** What a flow must have to play it: a derived question, keys that are fetched, a status list that is looked up. */
  readonly needs?: 'derived' | 'keys' | 'status';
}

const shown = 'A page that says what happened and how to try again. No one is verified.';
const blocked = 'A page that says that the card is blocked, and what helps. No one is verified.';
const notProved = 'A page that says that the proof was not accepted, with a way to try again.';
const noLongerValid = 'A page that says that the ID is no longer valid, and that trying again does not help.';
const notChecked = 'A page that says that the ID cannot be checked right now. No one is verified.';
const started = 'A page that says that the verification could not start. The session is as before.';
const malformed = 'A 400 reply and nothing else: the flow continues as if nothing had arrived.';
const verified = 'The person is verified.';

const wallet = {
  approve: entry('wallet', 'The person shares what is requested.', verified, 'verified'),
  declined: entry('wallet', 'The person declines.', shown),
  timeout: entry('wallet', 'The wallet does not answer in time.', shown),
  wrong_pin: entry('wallet', 'The person enters a wrong PIN and gives up.', shown),
  card_blocked: entry('wallet', 'Three wrong PINs block the card.', blocked),
  credential_missing: entry('wallet', 'The wallet contains no matching ID.', shown),
  service_error: entry('wallet', 'The service fails during verification.', shown),
  unknown_error_code: entry('wallet', 'The service reports an unknown error code.', shown),
} as const satisfies Record<string, Scenario>;

const proof = {
  invalid_signature: entry('proof', "The issuer's signature is broken.", notProved),
  wrong_key: entry('proof', 'The key that presents the credential is not the holder’s.', notProved),
  wrong_nonce: entry('proof', 'The proof was made for a different flow.', notProved),
  wrong_audience: entry('proof', 'The proof was made for someone else.', notProved),
  expired: entry('proof', 'The credential has expired.', noLongerValid),
  revoked: needs('status', entry('proof', 'The credential was revoked.', noLongerValid)),
  status_unreachable: needs(
    'status',
    entry('proof', 'The list of revoked credentials cannot be fetched.', notChecked),
  ),
  keys_unreachable: needs('keys', entry('proof', "The issuer's keys cannot be fetched.", notChecked)),
  missing_attribute: entry('proof', 'The wallet leaves out an attribute.', notProved),
  extra_attribute: entry('proof', 'The wallet shares more than was requested.', verified, 'verified'),
  wrong_type: entry('proof', 'An attribute has the wrong type.', notProved),
} as const satisfies Partial<Record<PlantedFault, Scenario>>;

const callback = {
  both_fields: entry('callback', 'The callback has a presentation and an error.', malformed),
  empty_body: entry('callback', 'The callback has no content.', malformed),
  malformed_state: entry('callback', 'The state in the callback does not have the app’s format.', malformed),
  foreign_state: entry(
    'callback',
    'The state in the callback belongs to no flow.',
    'A reply of 200 with the same address for every unknown flow.',
  ),
  callback_twice: entry(
    'callback',
    'The callback is sent twice.',
    'Both replies are the same, and the hooks run once.',
    'verified',
  ),
  callback_twice_at_once: entry(
    'callback',
    'The callback is sent twice at the same moment.',
    'Both replies are the same, and the hooks run once.',
    'verified',
  ),
  callback_late: entry(
    'callback',
    'A different callback arrives for a flow that has been answered.',
    'Nothing changes, and the reply does not contain the address of the first reply.',
    'verified',
  ),
  callback_lost: entry('callback', 'The callback is lost.', 'Nothing happens. A new start works.'),
  slow_callback: entry('callback', 'The callback arrives slowly.', verified, 'verified'),
} as const satisfies Record<string, Scenario>;

/** What a person at a wallet cannot bring about, or see: only the robot plays it. */
const robots = {
  return_other_browser: entry(
    'return',
    'The browser that returns is not the one that started.',
    'A page that asks the person to start again. No one is verified in either browser.',
  ),
  return_twice: entry(
    'return',
    'The browser opens the return address twice.',
    'The second visit leads to the same page, and no hook runs again.',
    'verified',
  ),
} as const satisfies Record<string, Scenario>;

const way = {
  return_code_tampered: entry(
    'return',
    'The code in the return address was changed.',
    'A page that asks the person to start again. No one is verified.',
  ),
} as const satisfies Record<string, Scenario>;

const derived = {
  derived_true: needsDerived('The answer to the derived question is yes.'),
  derived_false: needsDerived('The answer to the derived question is no.'),
} as const satisfies Record<string, Scenario>;

const prove = {
  prove_400_invalid_body: refusedStart('error_invalid_body'),
  prove_400_missing_parameter: refusedStart('error_missing_parameter'),
  prove_400_missing_state: refusedStart('error_missing_state'),
  prove_400_invalid_attribute: refusedStart('error_invalid_attribute'),
  prove_400_wrong_issuer: refusedStart('error_wrong_issuer'),
  prove_401_api_key: entry('prove', 'The service refuses the API key.', started, 'not_started'),
  prove_401_account: entry('prove', 'The service has suspended the account.', started, 'not_started'),
  prove_500: entry('prove', 'The service fails to start.', started, 'not_started'),
  prove_hang: entry('prove', 'The service does not answer.', started, 'not_started'),
  prove_html: entry('prove', 'The service returns a page instead of JSON.', started, 'not_started'),
  prove_bad_redirect: entry(
    'prove',
    'The service returns an address that is not safe to open.',
    started,
    'not_started',
  ),
} as const;

/** What a person can choose at a wallet, where the flow has what it needs. */
const choosable = { ...wallet, ...proof, ...derived, ...callback, ...way } as const;

export type ChoosableId = keyof typeof choosable;

export const choosableIds = Object.keys(choosable) as readonly ChoosableId[];

export function isChoosableId(id: unknown): id is ChoosableId {
  return typeof id === 'string' && Object.hasOwn(choosable, id);
}

/** Everything that the sandbox can play, in the order of a flow. */
export const scenarios = { ...choosable, ...robots, ...prove } as const;

/** What the sandbox can play: docs/sandbox.md has the list. */
export type ScenarioId = keyof typeof scenarios;

export const scenarioIds = Object.keys(scenarios) as readonly ScenarioId[];

export function scenarioOf(id: ScenarioId): Scenario {
  return scenarios[id];
}

export function isScenario(id: unknown): id is ScenarioId {
  return typeof id === 'string' && Object.hasOwn(scenarios, id);
}

function entry(phase: Phase, says: string, expects: string, ending: Ending = 'refused'): Scenario {
  return { phase, says, expects, ending };
}

function refusedStart(code: string): Scenario {
  return entry('prove', `The service refuses the request with ${code}.`, started, 'not_started');
}

function needs(what: NonNullable<Scenario['needs']>, scenario: Scenario): Scenario {
  return { ...scenario, needs: what };
}

function needsDerived(says: string): Scenario {
  const expects = 'The app acts on that answer.';
  return needs('derived', entry('proof', says, expects, 'verified'));
}
