/** The texts of the app in English, by page. A language is a file like this one, and a row in index.ts. */
export const en = {
  language: 'English',
  /** How numbers and dates are written. */
  locale: 'en-GB',

  frame: {
    timeline: 'The timeline of this verification',
    skip: 'Skip to the content',
    menu: 'Main menu',
    machines: 'Machines',
    election: 'Election',
    workshop: 'Workshop',
    membership: 'Membership',
    logOut: 'Log out',
    languages: 'Languages',
    madeUp: 'Drehmoment is a made-up tool library: the example app of pidgate.',
  },
  links: {
    start: 'Back to the start',
    kept: 'What we keep about you',
    allKept: 'All that we keep about you',
    known: 'What we know about you here',
    machines: 'Go to the machines',
    vote: 'Get my voting card',
    door: 'Get the door code',
    join: 'Become a member',
    eraseAccount: 'Erase my account',
    erase: 'Erase my results',
    keep: 'Keep it',
  },
  member: { title: 'Member of Drehmoment', name: 'Name', born: 'Born', number: 'Number' },

  home: {
    title: 'Borrow the tool instead of buying it',
    lead: 'Drills, ladders and clamps go to everyone who asks. For the rest, show us who you are, with your identity wallet.',
    welcome: (name: string) => `Welcome, ${name}`,
    hello: (name: string) => `Hello, ${name}`,
    number: 'Your number:',
    tour: 'This is a demonstration.',
    tourLink: 'Meet Erika, Leon and a forger',
    verified: 'Your identity is verified.',
    counter: 'You became a member at the counter. Please verify your identity once.',
    verify: 'Verify my identity',
    how: 'How it works',
    steps: [
      'A page says what we ask for, and why.',
      'Your wallet shows the same list. You agree there, or you do not.',
      'You are back here, and we keep the least that we need.',
    ],
  },
  stories: {
    machines: {
      title: 'Machines from 18',
      text: 'We ask whether you are 18 or over, and keep the yes or no. No account needed.',
    },
    account: {
      title: 'An account in two minutes',
      text: 'Your wallet fills in the form, and you are logged in.',
      mine: 'My membership',
    },
    vote: {
      title: 'A voting card',
      text: 'German citizens elect our board. One question to the identity service, answered with yes or no.',
    },
    door: {
      title: 'The workshop at night',
      text: 'The door code requires a recent proof, even from members.',
    },
    erasure: {
      title: 'Erase my account',
      text: 'Your wallet shows that the account is yours. We erase it and give you a receipt.',
    },
  },

  logIn: {
    title: 'Please log in first',
    lead: 'This page is for members. As a member, you need your wallet only after you log in.',
    notYet: 'Not a member yet?',
    join: 'It takes about two minutes: your wallet fills in the form, and you are logged in.',
    counter: 'No wallet? Come to the counter',
    card: 'Log in',
    two: 'Two members for trying it out. They need no password.',
    afresh: 'After you log in, you verify anew.',
    erika: 'Log in as Erika',
    max: 'Log in as Max',
    wallet: "As Max, choose his card in the wallet: Erika's is refused for his account.",
  },

  machines: {
    title: 'Machines',
    lead: 'You are 18 or over: you can borrow all of them.',
    adult: '18+',
    verified: (time: string) => `verified on ${time}`,
    stored: 'Of your date of birth we stored only: yes.',
    held: (time: string) => `What your wallet showed was in this app for ${time}.`,
    byMembership: 'Your membership shows it. We did not ask again.',
    reserve: 'Reserve',
    reserved: 'Reserved for you',
    ready: (name: string) => `${name}: reserved for you, and ready at the counter.`,
    hours: 'When we are open',
    shared: 'Is this a shared device? Erase your results before you go.',
    perDay: (price: string) => `${price} a day`,
    half: 'Members pay half.',
    known: 'That you are at least 18. If your wallet showed your date of birth for that, we did not keep it.',
    knownOfMember: 'What your membership says: your name and your date of birth.',
  },
  shelf: {
    chainsaw: { name: 'Chainsaw', about: '40 cm bar, helmet and trousers included.' },
    hammer: { name: 'Demolition hammer', about: '11 kg, three chisels, for tiles and screed.' },
    sander: { name: 'Floor sander', about: 'One room a day; sandpaper is sold by the metre.' },
    chipper: { name: 'Wood chipper', about: 'Branches up to 6 cm. A tow bar is needed.' },
  },

  membership: {
    title: 'Your membership',
    lead: 'Thank you, you are verified.',
    filledIn: 'Thank you, you are verified. Your wallet has filled in the form.',
    verified: 'Verified',
    receipt: 'Receipt',
    sandbox: 'A test wallet responded. The people are made up.',
    next: 'What you can do now',
    machines: 'Your membership shows whether you are 18: at the machines we do not ask again.',
    session:
      'This made-up library has no database: the account lives in your session and is gone when you log out.',
  },

  vote: {
    title: 'Voting card',
    lead: (day: string) => `You can elect the board on ${day}.`,
    no: {
      title: 'You cannot vote in this election',
      lead: 'The answer was no: no German citizenship. Under our statutes, only German citizens elect the board. Everything else is open to you as to every member.',
    },
    election: 'Election of the board',
    again: 'Verify again',
    known:
      'Yes or no to one question: are you a German citizen? Of your nationalities we kept only that. We compared your name and date of birth with your account, and did not keep them.',
  },

  door: {
    title: 'Door of the workshop',
    lead: "The workshop is open to members day and night. This is today's code.",
    until: (time: string) => `Until ${time} you can open this page without verifying again.`,
    why: 'Why we ask here',
    because:
      'You are logged in. But someone else may be using your phone or laptop now. Before we open a door, we ask you to verify, even if you did so before.',
  },

  erasure: {
    title: 'Erase your account?',
    lead: 'We have found your account. Erasing it cannot be undone.',
    all: 'We erase the account and all that we kept from your verifications, and log you out.',
    none: {
      title: 'You have no account here',
      lead: 'We have no member of this name and birthday, so there is nothing to erase.',
    },
    done: {
      title: 'Your account is erased',
      lead: 'This is your receipt. We keep only its number and the time, as long as your session here lasts. Please print this page, or write the number down.',
      receipt: 'Receipt',
      erased: 'Erased',
      regulars:
        'This made-up library has no database: its two members from the counter are back for the next log-in.',
    },
  },

  kept: {
    nothing: 'No verification is stored.',
    erased: 'Your results are erased. No verification is stored.',
    all: 'This is all that we kept from your verifications.',
    table: 'What we keep',
    what: 'What',
    value: 'Value',
    verified: 'Verified',
    until: 'Kept until',
    receipt: 'Receipt',
    yes: 'yes',
    no: 'no',
    membership: 'Membership',
    age: 'At least 18',
    vote: 'German citizen',
    door: 'At the door',
    doorValue: 'you verified',
    erasure: 'Account to erase',
    noneFound: 'none found',
    notKept: {
      title: 'What we asked for and did not keep',
      age: 'For the machines: your date of birth, if your wallet showed it. We keep only whether you are at least 18.',
      vote: 'For the election: your name and date of birth, to compare them with your account. Of your nationalities we keep yes or no.',
      door: 'For the door: your name and date of birth, to compare them with your account.',
      erasure: 'For the erasure: your name and your date of birth, to find your account.',
      wallet: 'The signed answer of your wallet itself.',
    },
    receiptOfAccount: 'The receipt of your erased account',
    howLong: 'How long',
    atMost: 'Up to thirty days. A “no”, and the data for an erasure: ten minutes only.',
    untilThen: 'Until the time in the table. Closing the browser also ends your access.',
    untilLogOut:
      'Until the time in the table, or until you log out. Closing the browser also ends your access.',
    randomReceipt: 'A receipt is a random number.',
    account: (number: string, name: string, born: string) =>
      `Your account (${number}, ${name}, born ${born}) stays until you log out.`,
    erasing: 'Erasing',
    eraseHint: 'All results of the table. You stay logged in, and verify again where a page asks.',
    eraseHintGuest: 'All results of the table. You verify again where a page asks.',
    eraseAccountHint: 'Or the account with all results. Your wallet shows that it is yours.',
  },
  forget: {
    title: 'Erase your results?',
    lead: 'We erase all that we kept from your verifications. For machines, election and workshop you then verify again.',
  },

  otherPerson: {
    title: 'This ID does not fit the account',
    lead: 'The name or the date of birth on it is not that of the account you are logged in to. Nothing was kept.',
    ownCard: 'Use my own card',
  },
  tools: {
    title: 'Not yet 18: this is yours to borrow',
    lead: 'You need no ID for these.',
    items: ['Drills', 'Ladders', 'Clamps'],
    notMine: 'This was not my ID:',
  },

  counter: {
    title: 'At the counter',
    lead: 'Bring any ID with a photo. We look at it, and copy nothing.',
    hours: 'Tuesday to Saturday, 10:00 to 18:00, Werkstraße 12.',
    door: 'The workshop at any other hour: ring the bell, and a member on duty lets you in.',
    minors: 'Under 18: drills, ladders and clamps, without an ID.',
  },
  notFound: {
    title: 'Page not found',
    lead: 'There is no page at this address. Perhaps one of these?',
  },
  failed: {
    title: 'This does not work right now',
    lead: 'You did nothing wrong. Please try again in a moment.',
  },
  otherSite: { title: 'This form came from another site', lead: 'Nothing has changed.' },

  /** On pidgate's own pages: `pages.texts`. */
  pidgate: {
    purpose: 'Your membership: the wallet tells us who you are, and fills in the form.',
    'reasons.counter': 'You became a member at the counter. Show us once that it is you.',
    keptAs: 'Your name\nYour date of birth',
    'purpose.age': 'You must be 18 or over to borrow machines.',
    'keptAs.age': 'Whether you are at least 18 (a “no” for ten minutes only)',
    'notKept.age': 'Your date of birth',
    'purpose.vote':
      'Under our statutes, German citizens elect the board. We check whether you are one, and compare your name and date of birth with your account.',
    'keptAs.vote': 'Whether you are a German citizen',
    'notKept.vote': 'The name on your ID\nYour date of birth',
    'purpose.door': 'Before we show the door code, we want to see that it is you.',
    'keptAs.door': 'That you verified',
    'notKept.door': 'The name on your ID\nYour date of birth',
    'purpose.erasure':
      'Before we erase your account, we want to see that it is yours. Afterwards we keep only a receipt.',
    'keptAs.erasure': 'Which account is yours',
    'notKept.erasure': 'The name on your ID\nYour date of birth',
    'refused.age.title': 'Not yet: machines are for people from 18',
    'refused.age.text': 'Drills, ladders and clamps are yours to borrow without an ID.',
    'refused.age.link': '[See what I can borrow](/tools)',
    not_kept_title: 'For this check we do not store',
    other_way: 'I have no wallet: come to the counter',
    other_way_button: 'Come to the counter',
  },
};

/** What every language has. */
export type Texts = typeof en;
