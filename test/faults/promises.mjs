// What SECURITY.md and the README promise, each with its tests. node test/faults/index.mjs --write puts it there.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');

/**
 * A test is named by the number that its title begins with; a letter stands for the checks of docs/checks.md that have
 * it.
 * @typedef {object} Promised
 * @property {string} promise
 * @property {readonly string[]} tests
 *
 * @typedef {object} Attack
 * @property {string} attacker what somebody does or has, after the word "Somebody"
 * @property {string} attempt what they want, after the words "They want to"
 * @property {string} promise what stops it
 * @property {readonly string[]} tests
 */

/** @type {readonly Attack[]} */
export const attacks = [
  {
    attacker: "sends their own flow's wallet link to a victim",
    attempt: "get the victim's identity into their own session",
    promise:
      "A release needs two things: the session that began the flow, and the one-time code. The attacker has the session, and the code comes to the victim's browser. When the victim returns with it, the code is revoked.",
    tests: ['F1', 'F2', 'F4', 'F5', 'F7', 'F9'],
  },
  {
    attacker: 'completes a flow and sends the return address to a victim',
    attempt: "put their own identity into the victim's session",
    promise: "The victim's session does not own the flow, so nothing is released to it.",
    tests: ['F1', 'F3'],
  },
  {
    attacker: 'uses a browser after somebody else',
    attempt: 'use what the other account proved',
    promise:
      'Set the option [`subject`](docs/sessions.md#who-is-logged-in). Then whoever is logged in at the return must be the person who was logged in at the start. If nobody was logged in at the start, nobody may be logged in at the return. A stored result of another subject does not count.',
    tests: ['F40', 'F100'],
  },
  {
    attacker: 'owns a website that the victim visits',
    attempt: "start a flow in the victim's browser",
    promise:
      "Only a POST from a page of your own origin starts a flow. pidgate's pages cannot be framed, and prefetching them does nothing.",
    tests: ['F10', 'F11'],
  },
  {
    attacker: 'sends a link to your start page',
    attempt: 'redirect people elsewhere, or put markup into your template',
    promise:
      '`returnTo` must be a path of your app. No address that your template gets contains a quote that a visitor sent.',
    tests: ['F13', 'F41', 'F71'],
  },
  {
    attacker: 'sends somebody the address of an error page, as a pretext for a call',
    attempt: "make a person read under your app's name that their ID is blocked or no longer valid",
    promise:
      "Such a page speaks only in the session that began the flow. Everybody else reads that a verification has ended, and your own page of `errorRedirect` gets `state_unknown`. That page's address proves nothing, because anybody can write it.",
    tests: ['F125'],
  },
  {
    attacker: 'spells an address of pidgate differently',
    attempt: 'get past a rate limiter or a log-in check that is mounted there',
    promise:
      'pidgate answers one spelling of each address. A request with another spelling goes on to your app, and gets 404 there.',
    tests: ['F59', 'F63'],
  },
  {
    attacker: "plants a session id in a victim's browser",
    attempt: 'know the id of a verified session',
    promise:
      'The session gets a new id before `onSuccess` runs, and nothing of the result is ever written under the old one. If the id cannot change, the return is refused.',
    tests: ['F8', 'F43', 'F70', 'F87'],
  },
  {
    attacker: 'has the session cookie of a person who has just logged out',
    attempt: 'revive that session',
    promise:
      'pidgate reads a session again directly before it writes it, and writes nothing if the session store no longer has it. A slow request or another spelling of the cookie changes nothing about that. Where pidgate only reads, it writes nothing at all. `forget` changes nothing in a session that has ended, and nothing that another request has changed.',
    tests: ['F15', 'F31', 'F44', 'F45', 'F88', 'F115'],
  },
  {
    attacker: 'knows a `state`',
    attempt:
      'end the flow, fetch its reply, or have another presentation (a proof, as a wallet made it for one flow) accepted',
    promise:
      'An error or an invalid body ends no flow. Only a repetition of the accepted body gets its reply, and your `onVerified` sees every presentation that is accepted. A presentation is bound to its flow by nonce, audience and key.',
    tests: ['F19', 'F20', 'F21', 'F22', 'F90'],
  },
  {
    attacker: 'has a forged, stolen, expired or altered presentation, or one that was made for somebody else',
    attempt: 'have it accepted',
    promise: 'The numbered checks refuse it.',
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T'],
  },
  {
    attacker: 'has a derived result (such as "has this nationality") for a different value',
    attempt: 'answer your question with it',
    promise: 'The value that was asked about is signed together with the result.',
    tests: ['F52'],
  },
  {
    attacker: 'has a stored result of a different or older question',
    attempt: 'pass a guard with it',
    promise: 'A stored result counts only for its own question, and no longer than `keepFor` says now.',
    tests: ['F53', 'F70'],
  },
  {
    attacker: 'has a flow or a stored result of another app that uses the same store',
    attempt: 'have it count in your app',
    promise: 'It counts only if its origin is in your `appUrl`.',
    tests: ['F64'],
  },
  {
    attacker: 'should be refused by your hook, but its return value is misspelled',
    attempt: 'get in',
    promise:
      'A hook may return nothing, `redirectTo` or `refuse`. Everything else is `hook_failed`, and nothing is kept.',
    tests: ['F66'],
  },
  {
    attacker: 'completes two flows',
    attempt: 'have one of them count as a repeat of the other',
    promise: "Each flow has its own `receipt.id`, because it is computed from the flow's `state`.",
    tests: ['F73'],
  },
  {
    attacker: 'posts malformed, huge or slow callbacks',
    attempt: 'crash the process, make it hang, or fill its memory',
    promise:
      'Bodies are decoded strictly. Their size, time and number are limited, and so are the values in a token and the memory that unfinished bodies hold together. A callback for an unknown state stores nothing.',
    tests: ['F16', 'F17', 'F18', 'F19', 'F28', 'F30', 'F54', 'F68', 'F69', 'F95', 'F104', 'F119'],
  },
  {
    attacker: 'cancels hundreds of verifications of their own',
    attempt: "have other people's callbacks refused",
    promise:
      'No limit counts callbacks by address, because all of them come from the address of the service.',
    tests: ['F92'],
  },
  {
    attacker: 'posts one callback many times at once',
    attempt: 'make a hook run twice, or make a result get lost',
    promise: 'One delivery runs the hook. The others wait for its result, or get 503.',
    tests: ['F23', 'F24'],
  },
  {
    attacker: "sends forged presentations while a server of issuers' keys or of status lists is down",
    attempt: 'cause a fetch for each of them, and make everyone wait',
    promise:
      'A fetch of keys that failed is not repeated at once, and a status list is fetched only for a presentation that passed every other check. Good presentations are checked with what is in the cache.',
    tests: ['F55', 'F75', 'F131'],
  },
  {
    attacker: 'holds a certificate for a different purpose under the same root',
    attempt: 'sign a credential with it',
    promise:
      'Extended key usage is checked for the role of each certificate, for signers of status lists too. A policy that your trust entry demands is checked along the path. Unknown critical extensions are refused, and so are extensions that limit names or policies.',
    tests: ['F56', 'F76', 'F105', 'F109', 'F129'],
  },
  {
    attacker: 'sends a certificate with an odd key or odd content',
    attempt: 'cause a crash, or a slow verification',
    promise:
      'Such a certificate is refused without an exception. A key is used only after its type and size are known, and after a trusted CA has signed it or a signed list has named its certificate. There is one exception: if the certificate of a signer names itself as its issuer, its own key is used to see whether that is true.',
    tests: ['F77', 'F108'],
  },
  {
    attacker: 'withholds the list of trusted entities, or serves an older or different one',
    attempt: 'add an anchor of their own, or keep an anchor that was removed',
    promise:
      'The signer of the list is pinned. A list expires, and no older list replaces a newer one. If a new list has other anchors, what was checked with the old ones is checked again. Only providers of the countries in your trust entry count.',
    tests: ['L', 'F106', 'F107'],
  },
  {
    attacker: "starts your app with the sandbox's trust in production",
    attempt: 'have a test person count as a real one',
    promise: 'pidgate refuses the options, except under the issuer `xx-sandbox` with `allowSandbox`.',
    tests: ['F74'],
  },
  {
    attacker: 'sends a forged `Host`',
    attempt: 'put their own address into the reply, or make `onError` run without end',
    promise:
      'pidgate takes origins from `appUrl` only. What a stranger can cause with it, as often as they like, calls `onEvent`, but not `onError`.',
    tests: ['F26', 'F70', 'F97'],
  },
  {
    attacker: 'is the service, or poses as it without a valid certificate',
    attempt:
      'send a browser to a `javascript:` or http address, put markup into a page, or send an endless reply',
    promise:
      'pidgate calls https addresses only, and sends browsers to https addresses only. On the same machine, http is allowed too. pidgate follows no redirect, and limits the size of a reply. Text from outside is shortened and escaped.',
    tests: ['F14', 'F25', 'F29', 'F39', 'F114'],
  },
  {
    attacker: 'reads the flow store, and the session store too',
    attempt: 'learn the attributes of flows in progress',
    promise:
      "Records are sealed under your app's secret, and neither store has it. What is kept in sessions can be read.",
    tests: ['F35', 'F36'],
  },
  {
    attacker: 'writes to the flow store',
    attempt: 'make a verified record with a name of their choice',
    promise:
      "Nobody can make a record without your app's secret, and no record opens under another id or path. So none opens in another factory of your app either (a call of `identityVerification`, with a path of its own).",
    tests: ['F86'],
  },
  {
    attacker: 'reads logs, events or error messages',
    attempt: 'find secrets or personal data',
    promise:
      'Logs, events and messages contain no state, code, key, presentation, attribute or `context`. Of a wrong return value of a hook, they contain only the names of its properties. In development, the terminal also shows what a hook threw. `console.log` and `util.inspect` show `[hidden]` for the values of a result.',
    tests: ['F38', 'F67', 'F98'],
  },
  {
    attacker: 'breaks the connection at the worst moment',
    attempt: 'make a person lose a proof, a log-in or a cart, or use a proof twice',
    promise:
      'At the start, session and flow are saved before the service is called. In the callback, the result is saved before the reply. At the return, the new session is saved before the old one ends.',
    tests: ['F12', 'F15', 'F22', 'F24', 'F31', 'F47', 'F65', 'F89', 'F102'],
  },
  {
    attacker: 'kills a process, or takes the flow store down',
    attempt:
      'make a proof get lost, make two hooks run at once, or get a reply for a result that was not written',
    promise:
      'Each step is one compare-and-swap. What a killed process held, such as the right to run a hook, runs out by itself. Where an outcome is unknown, the answer is 503. The receipt stays the same in every retry.',
    tests: ['F32', 'F33', 'F34', 'F37', 'F50', 'F65', 'F118'],
  },
  {
    attacker: 'controls the app that `pidgate simulate` or `doctor` examines',
    attempt: 'reach other machines, get cookies, or control the terminal',
    promise: '`simulate` and its cookies stay at the origin of the app. Control characters are not printed.',
    tests: ['F82', 'F83'],
  },
];

/** @type {readonly Promised[]} */
export const session = [
  {
    promise:
      '`require`, `of`, `status`, the [page that reloads the return address](docs/architecture.md#the-same-site-redirect-page) and a refused return change neither the session nor its store. Where pidgate itself responds, express-session does not either, however it is set.',
    tests: ['F45'],
  },
  {
    promise:
      'If a session store fails, pidgate does not conclude that the session has ended: the return can be repeated, and no code is revoked.',
    tests: ['F46'],
  },
  {
    promise:
      'If a write is refused, or the connection breaks before the response, nobody loses their log-in or their cart.',
    tests: ['F47', 'F65'],
  },
  {
    promise:
      'If a store never calls back, the request ends with `session_save_failed`, and the next request of that session works.',
    tests: ['F48'],
  },
  {
    promise:
      '`forget` erases the stored results in the session store. It throws and changes nothing if the session has ended, if the request has a change in it that is not saved, if another request has changed it meanwhile, or if the save fails. The error does not quote the error of the store.',
    tests: ['F49', 'F88', 'F115', 'F116', 'F117'],
  },
  { promise: 'The lifetime that your app gave the session survives.', tests: ['F51'] },
  { promise: 'What another request writes into the session in the meantime stays.', tests: ['F58'] },
  {
    promise:
      'If one session returns twice at the same time, both results are kept, even those of two factories that share a flow store.',
    tests: ['F31', 'F65'],
  },
  {
    promise:
      'Two starts at once, a double click and a start during a release lose nothing: the flow that the browser follows can be finished, and what was released in the meantime is kept. There are [two exceptions](#what-is-not-defended), a start that is pressed twice and a JSON start.',
    tests: ['F12', 'F89'],
  },
  {
    promise:
      'A hook that ends after its time limit cannot change a session, and what it throws does not end the process.',
    tests: ['F87'],
  },
];

/** The ten lines of the README. @type {readonly Promised[]} */
export const inShort = [
  {
    promise:
      'Only the browser that started a verification gets its result, and only with the one-time code of the return address.',
    tests: ['F1', 'F4'],
  },
  {
    promise:
      "So nobody gets another person's identity by sending that person a link. One trick remains possible, as with every such service: an attacker shows their own QR code to somebody who scans it.",
    tests: ['F2', 'F3'],
  },
  {
    promise:
      "Your app verifies the proof itself, in numbered checks. The service's word is not enough, unless your own option `trust` says so.",
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T', 'L'],
  },
  {
    promise:
      'A proof counts for one verification only, for the party that asked the wallet, and for the attributes that you asked for.',
    tests: ['F21', 'F52', 'F53'],
  },
  {
    promise:
      'Your hooks `onVerified` and `onSuccess` get the attributes. pidgate stores of them in the session only what your function `keep` returns, and it never stores the proof itself.',
    tests: ['F36'],
  },
  {
    promise:
      "Until the person is back from the wallet, the attributes are in the flow store, encrypted. They open only with your app's secret, which is not in that store.",
    tests: ['F35'],
  },
  {
    promise:
      'Outside development, pidgate writes no secret and no personal data into logs, events and error messages. The return address contains a one-time code, which is useless in another browser.',
    tests: ['F1', 'F38', 'F98'],
  },
  {
    promise:
      'The session gets a new id before your `onSuccess` runs, so an attacker who knows the old id has nothing. A flow that the attacker began under the old id still belongs to the session: [`subject`](docs/sessions.md#who-is-logged-in) closes that. pidgate does not bring back a session that has ended, with one exception: a [short race](SECURITY.md#what-is-not-defended).',
    tests: ['F8', 'F43', 'F44'],
  },
  {
    promise:
      'Only a page of your own origin can start a verification. Every callback is limited in size, time and number.',
    tests: ['F10', 'F16', 'F28', 'F30', 'F54', 'F95'],
  },
  {
    promise:
      'Numbered tests show each of these lines. [SECURITY.md](SECURITY.md) says what is defended, and what is not.',
    tests: [],
  },
];

/**
 * The numbers that a title begins with, such as F12 and F31 of `F12, F31 two tabs`.
 * @param {string} title
 */
export function numbersOf(title) {
  return /^[A-Z]\d+(?:, [A-Z]\d+)*\b/.exec(title)?.[0].split(', ') ?? [];
}

/** Every number that a promise names, here or in the prose of SECURITY.md. */
export function promised() {
  const checks = read('docs/checks.md');
  const numbers = [...checks.matchAll(/^- ([A-Z]\d\d) \S/gm)].map(([, number = '']) => number);
  const named = [...attacks, ...session, ...inShort].flatMap(({ tests }) =>
    tests.flatMap((name) => (name.length > 1 ? [name] : numbers.filter((number) => number.startsWith(name)))),
  );
  return new Set([...named, ...(read('SECURITY.md').match(/\bF\d+\b/g) ?? [])]);
}

/**
 * The promised numbers of which no test has passed in any of the runs whose reporter wrote into the folder.
 * @param {string} folder
 */
export function notShown(folder) {
  const passed = new Set(
    readdirSync(folder).flatMap((file) => {
      /** @type {string[]} */
      const numbers = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return numbers;
    }),
  );
  return [...promised()].filter((number) => !passed.has(number));
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const missing = notShown(argv[2] ?? join(root, 'test-results/passed'));
  if (missing.length > 0) {
    console.error(
      `Promised in SECURITY.md or README.md, and shown by no test that passed: ${missing.join(' ')}`,
    );
    process.exitCode = 1;
  }
}
