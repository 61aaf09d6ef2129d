import type { AttributeId } from '../../../../types/attributes.js';
import { peopleOn, type PersonName } from '../../people/people.js';
import { type ChoosableId, choosableIds, scenarioOf } from '../../scenarios/catalogue.js';
import { refusals, type RefusalReason } from '../../wallet/wallet.js';

// What pages of the service and the wallet say. The developer's pages are in English only, as the documents are.

const labels: Readonly<Record<AttributeId, string>> = {
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
  roles: { service: 'Identity service', wallet: 'Wallet', desk: 'Developer tools' },
  unreal: 'no real identity',
  anApp: 'An app',

  // The same words as on the kit's start page; a test compares the two.
  labels,
  derivedNationality: (country: string) => `Whether you are a national of ${country}`,
  derivedAnswer: 'yes or no only',
  yes: 'Yes',
  no: 'No',

  asksForThis: (app: string) => `${app} asks for this information`,
  asksForData: (app: string) => `${app} asks for information about you`,
  onlyWhatIsListed: (name: string) => `You are ${name}. Only what is listed here is shared.`,
  willBeShared: 'Will be shared',
  staysInWallet: 'Stays in the wallet',
  andMore: 'address and more',
  share: 'Share',
  decline: 'Decline',

  whyAsked: 'Why',
  planned: 'Chosen for this time:',

  shareTitle: 'Share this information?',
  asksThroughService: "asks for this, through the sandbox's identity service.",
  certificate: 'Certificate',
  certifiedName: 'Service',
  certifiedBy: 'Certified by',
  mayAsk: 'May ask for',
  clientId: 'Client id',
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
  doneTitle: 'Done',
  doneShared: 'Your answer was sent.',
  doneNotShared: 'Nothing was shared, and the website has been told.',
  doneNow: 'Continue in the browser where you began. You can close this page.',

  whereIsWallet: 'Your wallet will show what is requested. Which device is your wallet on?',
  onThisDevice: 'On this device',
  onAnotherDevice: 'On another device',
  cancelTo: (app: string) => `Cancel and go back to ${app}`,
  useAnotherDevice: 'Use another device',
  useThisDevice: 'My wallet is on this device',
  validUntil: (time: string) => `Valid until ${time}.`,
  openWalletTitle: 'Open your wallet',
  openWalletText: (app: string) => `It shows what ${app} asks for. Nothing is shared until you agree there.`,
  openWallet: 'Open your wallet',
  openBuiltIn: "Open the sandbox's wallet",
  scanTitle: 'Scan this with your phone',
  scanText: (app: string) =>
    `Your wallet then shows what ${app} asks for. Keep this page open: it continues once you have agreed.`,
  scanLabel: 'QR code that opens your wallet',
  waiting: 'Waiting for your wallet …',
  fetched: 'Your wallet has the request. Please agree there.',
  noPhone: 'No phone nearby?',
  openBuiltInWindow: "Open the sandbox's wallet in a new window",
  scanWarning: (app: string) =>
    `Scan only if you began this yourself, just now, at ${app}. If someone sent you this code, close the page.`,
  ownWallet: 'Use your own wallet',
  ownWalletText: 'These links open a wallet that trusts this sandbox.',

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
  expiredElsewhere: notice(
    'This request has expired',
    'It was not answered in time, and nothing was shared. Continue in the browser where you began: there you can start again.',
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
  elsewhere: notice(
    'This page is open in another browser',
    'Another browser opened this page first, and only that one is taken back to the website. To use a wallet on this device, scan the code on the other screen. No code there? Choose “On another device” there first. If it shows neither, start again there.',
  ),
  answeredElsewhere: notice(
    'This request is answered',
    'The website has the answer. If you cannot continue there, start again on the website.',
  ),
  over: notice('This request is answered', 'The website has the answer.'),
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
