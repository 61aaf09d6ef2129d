import type { PlantedFault } from '../issuers/faults.js';

/** Where a scenario departs from what usually happens. */
type Phase = 'wallet' | 'proof' | 'callback' | 'return' | 'prove';

/** How a good app ends. */
export type Ending = 'verified' | 'refused' | 'not_started';

export interface Scenario {
  readonly phase: Phase;
  /** What happens, in one sentence. */
  readonly says: string;
  /** The same in German, where a person can choose it at a wallet. */
  readonly inGerman: string;
  /** What a good app shows. */
  readonly expects: string;
  readonly ending: Ending;
  /** What a flow must have to play it: a derived question, keys that are fetched, a status list that is looked up. */
  readonly needs?: 'derived' | 'keys' | 'status';
}

const shown = 'A page that says what happened and how to try again. No one is verified.';
const notProved = 'A page that says that the proof was not accepted, with a way to try again.';
const started = 'A page that says that the verification could not start. The session is as before.';
const malformed = 'A 400 reply and nothing else: the flow continues as if nothing had arrived.';
const verified = 'The person is verified.';

const wallet = {
  approve: entry(
    'wallet',
    ['The person shares what is requested.', 'Die Person übermittelt, was abgefragt wird.'],
    verified,
    'verified',
  ),
  declined: entry('wallet', ['The person declines.', 'Die Person lehnt ab.'], shown),
  timeout: entry(
    'wallet',
    ['The wallet does not answer in time.', 'Die Ausweis-App antwortet nicht rechtzeitig.'],
    shown,
  ),
  wrong_pin: entry(
    'wallet',
    ['The person enters a wrong PIN and gives up.', 'Die Person gibt eine falsche PIN ein und bricht ab.'],
    shown,
  ),
  card_blocked: entry(
    'wallet',
    ['Three wrong PINs block the card.', 'Drei falsche PINs sperren den Ausweis.'],
    shown,
  ),
  credential_missing: entry(
    'wallet',
    ['The wallet contains no matching ID.', 'In der Ausweis-App fehlt ein passender Ausweis.'],
    shown,
  ),
  service_error: entry(
    'wallet',
    ['The service fails during verification.', 'Der Ausweisdienst scheitert bei der Prüfung.'],
    shown,
  ),
  unknown_error_code: entry(
    'wallet',
    ['The service reports an unknown error code.', 'Der Ausweisdienst meldet einen unbekannten Fehlercode.'],
    shown,
  ),
} as const satisfies Record<string, Scenario>;

const proof = {
  invalid_signature: entry(
    'proof',
    ["The issuer's signature is broken.", 'Die Signatur des Ausstellers ist beschädigt.'],
    notProved,
  ),
  wrong_key: entry(
    'proof',
    [
      'The key that presents the credential is not the holder’s.',
      'Der Nachweis ist nicht mit dem Schlüssel des Ausweises signiert.',
    ],
    notProved,
  ),
  wrong_nonce: entry(
    'proof',
    ['The proof was made for a different flow.', 'Der Nachweis wurde für einen anderen Vorgang erstellt.'],
    notProved,
  ),
  wrong_audience: entry(
    'proof',
    ['The proof was made for someone else.', 'Der Nachweis wurde für einen anderen Empfänger erstellt.'],
    notProved,
  ),
  expired: entry('proof', ['The credential has expired.', 'Der Ausweis ist abgelaufen.'], notProved),
  revoked: needs(
    'status',
    entry('proof', ['The credential was revoked.', 'Der Ausweis wurde widerrufen.'], notProved),
  ),
  status_unreachable: needs(
    'status',
    entry(
      'proof',
      [
        'The list of revoked credentials cannot be fetched.',
        'Die Liste der widerrufenen Ausweise ist nicht abrufbar.',
      ],
      notProved,
    ),
  ),
  keys_unreachable: needs(
    'keys',
    entry(
      'proof',
      ["The issuer's keys cannot be fetched.", 'Die Schlüssel des Ausstellers sind nicht abrufbar.'],
      notProved,
    ),
  ),
  missing_attribute: entry(
    'proof',
    ['The wallet leaves out an attribute.', 'Die Ausweis-App lässt eine Angabe weg.'],
    notProved,
  ),
  extra_attribute: entry(
    'proof',
    ['The wallet shares more than was requested.', 'Die Ausweis-App übermittelt mehr, als abgefragt wird.'],
    verified,
    'verified',
  ),
  wrong_type: entry(
    'proof',
    ['An attribute has the wrong type.', 'Eine Angabe hat den falschen Typ.'],
    notProved,
  ),
} as const satisfies Partial<Record<PlantedFault, Scenario>>;

const callback = {
  both_fields: entry(
    'callback',
    [
      'The callback has a presentation and an error.',
      'Der Callback enthält einen Nachweis und einen Fehler.',
    ],
    malformed,
  ),
  empty_body: entry(
    'callback',
    ['The callback has no content.', 'Der Callback hat keinen Inhalt.'],
    malformed,
  ),
  malformed_state: entry(
    'callback',
    [
      'The state in the callback does not have the app’s format.',
      'Der state im Callback hat nicht das Format der Website.',
    ],
    malformed,
  ),
  foreign_state: entry(
    'callback',
    ['The state in the callback belongs to no flow.', 'Der state im Callback gehört zu keinem Vorgang.'],
    'A reply of 200 with the same address for every unknown flow.',
  ),
  callback_twice: entry(
    'callback',
    ['The callback is sent twice.', 'Der Callback wird zweimal gesendet.'],
    'Both replies are the same, and the hooks run once.',
    'verified',
  ),
  callback_twice_at_once: entry(
    'callback',
    ['The callback is sent twice at the same moment.', 'Der Callback wird zweimal gleichzeitig gesendet.'],
    'Both replies are the same, and the hooks run once.',
    'verified',
  ),
  callback_late: entry(
    'callback',
    [
      'A different callback arrives for a flow that has been answered.',
      'Ein anderer Callback trifft ein, nachdem der Vorgang beantwortet ist.',
    ],
    'It changes nothing and learns nothing: its reply does not contain the address from the first.',
    'verified',
  ),
  callback_lost: entry(
    'callback',
    ['The callback is lost.', 'Der Callback geht verloren.'],
    'Nothing happens. A new start works.',
  ),
  slow_callback: entry(
    'callback',
    ['The callback arrives slowly.', 'Der Callback trifft verspätet ein.'],
    verified,
    'verified',
  ),
} as const satisfies Record<string, Scenario>;

const way = {
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
  return_code_tampered: entry(
    'return',
    ['The code in the return address was changed.', 'Der Code in der Rücksprungadresse wurde verändert.'],
    'A page that asks the person to start again. No one is verified.',
  ),
} as const satisfies Record<string, Scenario>;

const derived = {
  derived_true: needsDerived([
    'The answer to the derived question is yes.',
    'Die Antwort auf die abgeleitete Frage ist Ja.',
  ]),
  derived_false: needsDerived([
    'The answer to the derived question is no.',
    'Die Antwort auf die abgeleitete Frage ist Nein.',
  ]),
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

/** Everything that the sandbox can play, in the order of a flow. */
export const scenarios = { ...wallet, ...proof, ...callback, ...way, ...derived, ...prove } as const;

/** What the sandbox can play: docs/sandbox.md has the list. */
export type ScenarioId = keyof typeof scenarios;

export const scenarioIds = Object.keys(scenarios) as readonly ScenarioId[];

export function scenarioOf(id: ScenarioId): Scenario {
  return scenarios[id];
}

export function isScenario(id: unknown): id is ScenarioId {
  return typeof id === 'string' && Object.hasOwn(scenarios, id);
}

/** In English alone, or in German too. */
type Says = string | readonly [english: string, german: string];

function entry(phase: Phase, sentence: Says, expects: string, ending: Ending = 'refused'): Scenario {
  const [says, inGerman] = typeof sentence === 'string' ? [sentence, sentence] : sentence;
  return { phase, says, inGerman, expects, ending };
}

function refusedStart(code: string): Scenario {
  return entry('prove', `The service refuses the request with ${code}.`, started, 'not_started');
}

function needs(what: NonNullable<Scenario['needs']>, scenario: Scenario): Scenario {
  return { ...scenario, needs: what };
}

function needsDerived(says: Says): Scenario {
  const expects = 'The app acts on that answer.';
  return needs('derived', entry('proof', says, expects, 'verified'));
}
