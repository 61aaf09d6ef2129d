import type { PidAttributeId } from '../../../../types/attributes.js';
import { peopleOn, type PersonName } from '../../people/people.js';
import { refusals, type RefusalReason } from '../../wallet/wallet.js';
import { type ChoosableId, choosableIds, scenarioOf } from '../../scenarios/catalogue.js';

// What pages of the service and the wallet say. The developer's pages are in English only, as the documents are.

const labels: Readonly<Record<PidAttributeId, string>> = {
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Date of birth',
  nationality: 'Nationality',
};

const people = Object.entries(peopleOn(new Date(0)));

/** Title and sentence of a short page. */
export type Notice = readonly [title: string, text: string];

const notice = (title: string, text: string): Notice => [title, text];

export const englishTexts = {
  /** The tag of the language, and the one by which dates are written. */
  lang: 'en' as string,
  dates: 'en-GB',
  name: 'pidgate sandbox',
  sandbox: 'Sandbox',
  overview: 'Overview',
  roles: { wallet: 'Wallet', desk: 'Developer tools' },
  unreal: 'no real identity',
  anApp: 'An app',

  // The same words as on the kit's start page; a test compares the two.
  labels,
  ageOver: (years: number) => `Whether you are ${years} or over`,
  derivedNationality: (country: string) => `Whether you are a national of ${country}`,
  derivedAnswer: 'yes or no only',
  yes: 'Yes',
  no: 'No',

  asksForThis: (app: string) => `${app} asks for this information`,
  onlyWhatIsListed: (name: string) => `You are ${name}. Only what is listed here is shared.`,
  willBeShared: 'Will be shared',
  staysInWallet: 'Stays in the wallet',
  share: 'Share',
  decline: 'Decline',

  whyAsked: 'Why',
  planned: 'Chosen for this time:',

  whoseCard: 'In the wallet is the card of',
  mainPeople: { erika: 'Erika', minor: 'Leon (17)' } as Partial<Record<PersonName, string>>,
  morePeople: 'More people',
  fromCode: 'from your code',
  notOnCard:
    'The card does not contain this answer. The service sees the nationalities and passes on only yes or no.',
  /** Why one would try an app with each of the people. */
  reasons: Object.fromEntries(people.map(([name, { reason }]) => [name, reason])) as Readonly<
    Record<PersonName, string>
  >,

  pinTitle: 'Enter your PIN',
  pinWrong: 'That PIN is wrong',
  pinProves: 'It proves that the card is yours.',
  pinDigits: 'The PIN has six digits.',
  notCounted: 'This did not count.',
  pinLabel: 'PIN of your identity card',
  pinHint: (pin: string) => `In the sandbox it is always ${pin}.`,
  triesLeft: (tries: number) =>
    `You have ${tries === 1 ? 'one try' : `${tries} tries`} left. After that the card is blocked.`,
  continue: 'Continue',
  cancel: 'Cancel',
  blockedTitle: 'This card is blocked',
  blockedText:
    'You entered a wrong PIN three times. With a real card you would unblock it with the PUK from your PIN letter.',
  backToApp: 'Back to the website',

  validUntil: (time: string) => `Valid until ${time}.`,

  noRedirectUrl: 'No Redirect URL is set',
  noRedirectUrlBefore:
    "The sandbox does not know where to send the result. Set the address of the app's callback route, often",
  noRedirectUrlAfter: 'in one of these ways, then reload this page:',

  goWrong: 'Make something go wrong',
  whatHappens: 'What should happen?',
  phases: {
    wallet: 'The person or the wallet',
    proof: 'The proof',
    callback: 'The callback',
    return: 'The return',
  },
  runScenario: 'Run this scenario',
  /** What happens in each scenario that a person can choose. */
  scenarios: Object.fromEntries(choosableIds.map((id) => [id, scenarioOf(id).says])) as Readonly<
    Record<ChoosableId, string>
  >,

  gone: notice(
    'This request has expired',
    'It is unknown or too old. If you began on another screen, continue there. Otherwise start again on the website.',
  ),
  expired: notice(
    'This request has expired',
    'It was not answered in time, and nothing was shared. For a new one, start again on the website.',
  ),
  noFlow: notice(
    'There is no such verification',
    'The list has the verifications since the sandbox was started, the last hundred of them.',
  ),
  backTo: (app: string) => `Back to ${app}`,
  nothingHere: notice(
    'Page not found',
    'A verification starts on the website and leads to a page of the sandbox.',
  ),
  otherSite: notice(
    'Request from another site refused',
    'Other sites may link to this page but may not send anything to it. Nothing was changed.',
  ),
  noDecision: notice(
    'No decision',
    'The form contains no decision that the sandbox knows. Go back and choose again.',
  ),
  unreadable: notice('Invalid address or form', 'The sandbox did not create this address or form. Go back.'),
  tooLarge: notice('Form too large', 'The form is larger than any that the sandbox sends.'),
  internal: notice(
    'The sandbox failed',
    'Something went wrong inside the sandbox. Start again on the website.',
  ),
  answeredOtherwise: notice(
    'Already answered',
    'This request already has a different answer, and only the first one is sent. Start again on the website.',
  ),
  over: notice('This request is answered', 'The website has the answer.'),
  overElsewhere: notice(
    'This request is answered',
    'Continue in the browser where you began. You can close this page.',
  ),
  continueToApp: 'Continue to the website',
  sending: notice('On its way', 'The answer is being sent to the website.'),
  youShared: 'You shared this information.',
  youDeclined: 'You declined.',
  youChose: (says: string) => `You chose “${says}”`,
  walletFailed: 'The wallet reported an error.',
  walletStops: 'The wallet stops here',
  refusals: refusals as Readonly<Record<RefusalReason, string>>,
};

/** Every text, in one language. */
export type SandboxTexts = typeof englishTexts;
