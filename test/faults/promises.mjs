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
 * @property {string} [attempt] what they want, after the words "They want to", where it is not plain
 * @property {string} promise what stops it
 * @property {readonly string[]} tests
 */

/** @type {readonly Attack[]} */
export const attacks = [
  {
    attacker: "sends their own flow's wallet link to a victim",
    attempt: "get the victim's identity into their own session",
    promise:
      "A release needs the session that began the flow, which the attacker has, and the one-time code. On the same device, the code comes to the victim's browser: nothing is released there, and the code is revoked after one or two redirect pages. For a QR code and its link, see [QR relay](#what-is-not-defended).",
    tests: ['F1', 'F2', 'F4', 'F5', 'F7', 'F9'],
  },
  {
    attacker: 'completes a flow and sends the return address to a victim',
    attempt: "put their own identity into the victim's session",
    promise: "The victim's session does not own the flow, so nothing is released to it.",
    tests: ['F1', 'F3'],
  },
  {
    attacker: 'sends the link of their own page to a victim, in an app that asks wallets itself',
    attempt: "get the victim's identity into their own session",
    promise:
      "The code of the return goes to the browser that the wallet opens, and never to the page that showed the link. With `ways: ['link']` nothing is asked or answered by a QR code, whatever somebody writes into an address. For the QR code, see [QR relay](#what-is-not-defended).",
    tests: ['F168', 'F169'],
  },
  {
    attacker: 'sends on what their own wallet page has, in an app that allows the ways `link` and `browser`',
    attempt: "get the victim's identity into their own session",
    promise:
      "The link leads the victim's browser back, which has no session of the attacker's flow. The request of the browser names the one origin whose page may ask, the wallet signs for the origin that the browser has seen, and that must be yours. A QR code is neither shown nor served, and no answer counts by one. What is left is [near the person](#what-is-not-defended).",
    tests: ['F192', 'F195'],
  },
  {
    attacker: 'brings an answer of another verification, of another way, or from a page of their own',
    attempt: "have it count in somebody's session, or get the code of a return for it",
    promise:
      'What the browser has brought counts only from a page of your own origin, in the session that began the flow, and encrypted for the key of that flow and that way. Each way has a key and an audience of its own, and a text that was accepted by one way is an unknown text by another.',
    tests: ['F193', 'F194'],
  },
  {
    attacker: 'posts to the callback of an app that asks wallets itself',
    attempt: "answer for somebody else's flow, open a captured answer, or end a flow",
    promise:
      'An answer must be encrypted for the key of its flow and its way. That key is derived from random bytes in the sealed record, which go with the accepted answer. An error or a bad proof ends no flow: the page shows a notice and stays.',
    tests: ['F170', 'F171', 'F173', 'F175', 'F176'],
  },
  {
    attacker: 'has a wallet of their own making',
    attempt: 'write into your log or your metrics',
    promise: "Of a wallet's error only a code of OpenID4VP goes on, and every other one is `wallet_error`.",
    tests: ['F174'],
  },
  {
    attacker: 'uses a browser after somebody else',
    attempt: 'use what the other account proved',
    promise:
      'With the option [`subject`](docs/sessions.md#who-is-logged-in), the person who was logged in at the start must be logged in at the return, and if nobody was, nobody may be. A stored result of another subject does not count.',
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
      '`returnTo` must be a path of your app. The addresses that your template gets contain no quotation mark and no apostrophe.',
    tests: ['F13', 'F41', 'F71'],
  },
  {
    attacker: 'sends somebody the address of an error page',
    attempt: "make a person read under your app's name that their ID is blocked",
    promise:
      'Such a page speaks only in the session that began the flow. Everybody else reads that a verification has ended, and your own page of `errorRedirect` gets `state_unknown`. An address of your own page proves nothing, because anybody can write it.',
    tests: ['F125'],
  },
  {
    attacker: 'spells an address of pidgate differently',
    attempt: 'get past a limiter or a log-in check that is mounted there',
    promise: 'pidgate answers one spelling of each address, and leaves every other spelling to your app.',
    tests: ['F59', 'F63'],
  },
  {
    attacker: "plants a session id in a victim's browser",
    attempt: 'know the id of a verified session',
    promise:
      'The session gets a new id before `onSuccess` runs, and pidgate writes nothing of the result under the old one. If the id cannot change, the return is refused.',
    tests: ['F8', 'F43', 'F70', 'F87'],
  },
  {
    attacker: 'has the session cookie of a person who has just logged out',
    attempt: 'revive that session',
    promise:
      'pidgate writes nothing under the id of a session that the session store no longer has, however slow the request is and however the cookie is spelled. One [short moment](#what-is-not-defended) remains.',
    tests: ['F15', 'F31', 'F44', 'F45', 'F88', 'F115'],
  },
  {
    attacker: 'knows a `state`',
    promise:
      'An error or an invalid body ends no flow. Only a repetition of the accepted body gets its reply, and the hook of the callback sees every presentation that is accepted. A wallet signs its presentation for the nonce of one flow.',
    tests: ['F19', 'F20', 'F21', 'F22', 'F90'],
  },
  {
    attacker: 'has a forged, stolen, expired or altered presentation, or one that was made for somebody else',
    promise: 'The numbered checks refuse it.',
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T'],
  },
  {
    attacker: 'has a derived result (such as "has this nationality") for a different value',
    promise:
      'The value that was asked about is signed together with the result, unless your trust entry says `dangerouslyUnbound`.',
    tests: ['F52'],
  },
  {
    attacker: 'has a stored result of a different or older question',
    promise:
      'A stored result counts only for its own question, and no longer than `keepFor` (with a function, its `atMost`) says now.',
    tests: ['F53', 'F70'],
  },
  {
    attacker: 'has a flow or a stored result of another app that uses the same store',
    promise: 'Outside development, it counts only if its origin is in your `appUrl`.',
    tests: ['F64'],
  },
  {
    attacker: 'should be refused by your hook, but its return value is misspelled',
    promise:
      '`onVerified` and `onSuccess` may return nothing, `redirectTo` or `refuse`. Everything else is `hook_failed`, and nothing is kept.',
    tests: ['F66'],
  },
  {
    attacker: 'completes two flows',
    attempt: 'have one of them count as a repeat of the other',
    promise: 'Each flow has its own `receipt.id`, computed from its `state`.',
    tests: ['F73'],
  },
  {
    attacker: 'posts malformed, huge or slow callbacks',
    promise:
      'pidgate decodes bodies strictly. It limits their size, the time to read one, how many presentations are verified at once, the values in a token, and the memory that unfinished bodies hold together. A callback for an unknown state stores nothing.',
    tests: ['F16', 'F17', 'F18', 'F19', 'F28', 'F30', 'F54', 'F68', 'F69', 'F95', 'F104', 'F119'],
  },
  {
    attacker: 'cancels hundreds of verifications of their own',
    attempt: "have other people's callbacks refused",
    promise: 'No limit of pidgate counts callbacks by address: all of them come from the service.',
    tests: ['F92'],
  },
  {
    attacker: 'posts one callback many times at once',
    promise: 'One delivery at a time runs the hook. The others wait for its result, or get 503.',
    tests: ['F23', 'F24'],
  },
  {
    attacker: 'sends forged presentations while a server of keys or status lists is down',
    promise:
      'A failed fetch of keys is not repeated within half a minute. A status list is fetched only for a presentation that passed every other check. Good ones are checked with the keys and lists in the cache, as long as these count.',
    tests: ['F55', 'F75', 'F131'],
  },
  {
    attacker: 'holds a certificate for a different purpose under the same root',
    promise:
      'Extended key usage is checked for the role of each certificate, and a policy that your trust entry demands is checked along the path. Unknown critical extensions are refused, and so are extensions that limit names or policies.',
    tests: ['F56', 'F76', 'F105', 'F109', 'F129'],
  },
  {
    attacker: 'sends a certificate with an odd key or odd content',
    promise:
      'pidgate refuses such a certificate, and does not crash. A key is used only after its type and size are known. Before a trusted CA has signed it, or a signed list has named its certificate, it is used only to see whether the certificate has signed itself.',
    tests: ['F77', 'F108'],
  },
  {
    attacker: 'withholds the list of trusted entities, or serves an older or different one',
    promise:
      'The signer of the list is pinned. A list expires, and no older list replaces a newer one. Across restarts, this needs the `store` of the list. If a new list has other anchors, what was checked with the old ones is checked again. Only providers of the countries in your trust entry count.',
    tests: ['L', 'F106', 'F107'],
  },
  {
    attacker: "starts your app with the sandbox's trust in production",
    promise:
      "pidgate refuses the options, except under the issuer `xx-sandbox` with `allowSandbox`. It refuses the sandbox's access certificates too.",
    tests: ['F74'],
  },
  {
    attacker: 'sends a forged `Host`',
    promise:
      'pidgate takes origins from `appUrl` only. A start with a forged `Host` calls `onEvent`, but not `onError`.',
    tests: ['F26', 'F70', 'F97'],
  },
  {
    attacker: 'is the service, or poses as it without a valid certificate',
    promise:
      'pidgate calls https addresses only, and sends browsers to https addresses only (on the same machine, http too). It follows no redirect, limits the size of a reply, and shortens and escapes text from outside.',
    tests: ['F14', 'F25', 'F29', 'F39', 'F114'],
  },
  {
    attacker: 'reads the flow store, and the session store too',
    attempt: 'learn the attributes of flows in progress',
    promise:
      "Records, and what is kept in sessions, are sealed under your app's secret, and neither store has it.",
    tests: ['F35', 'F36', 'F160'],
  },
  {
    attacker: 'writes to the session store',
    attempt: 'make somebody verified',
    promise:
      "Without your app's secret, nobody can make or change what is kept, or move it to a session with another mark. [Copying a whole session](#what-is-not-defended) is another thing.",
    tests: ['F160'],
  },
  {
    attacker: 'writes to the flow store',
    promise:
      "Nobody can make a record without your app's secret, and no record opens under another id, or in another factory of your app.",
    tests: ['F86'],
  },
  {
    attacker: 'reads logs, events or error messages',
    promise:
      'Logs, events and messages contain no state, code, key, presentation, attribute or `context` ([one exception in development](#what-always-holds)). Of a wrong return value of a hook, they contain at most the names of its properties. `console.log` and `util.inspect` show `[hidden]` for the attributes and the derived answers of a result.',
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
    attempt: 'lose a proof, make two hooks run at once, or get a reply for a result that was not written',
    promise:
      'A record changes only by compare-and-swap. A lease or a lock of a killed process runs out by itself. If it is unknown whether a result was written, the answer is 503. The receipt stays the same in every retry.',
    tests: ['F32', 'F33', 'F34', 'F37', 'F50', 'F65', 'F118'],
  },
  {
    attacker: 'controls the app that `pidgate simulate` or `doctor` examines',
    promise:
      '`simulate` asks only the origin of the app and a sandbox on this machine, and its cookies go only to the app. Control characters are not printed.',
    tests: ['F82', 'F83'],
  },
];

/** @type {readonly Promised[]} */
export const session = [
  {
    promise:
      '`require`, `of`, `status`, the [page that reloads the return address](docs/architecture.md#the-same-site-redirect-page) and a refused return change neither the session nor its store. Where pidgate itself responds, express-session writes nothing either, however it is set.',
    tests: ['F45'],
  },
  {
    promise:
      'If a session store fails, pidgate does not conclude that the session has ended: the return can be repeated, and no code is revoked.',
    tests: ['F46'],
  },
  {
    promise:
      'If the session store refuses a write, or the connection breaks before the response, nobody loses their log-in or their cart.',
    tests: ['F47', 'F65'],
  },
  {
    promise:
      'If the session store does not answer pidgate within five seconds, the request ends with `session_save_failed`, and the next request of that session works once the store answers again.',
    tests: ['F48'],
  },
  {
    promise:
      '`forget` erases every result that its factory has kept in the session, or it [throws](docs/sessions.md#logging-out) and changes nothing ([except for a timeout](#what-is-not-defended)).',
    tests: ['F49', 'F88', 'F115', 'F116', 'F117'],
  },
  { promise: 'The lifetime that your app gave the session survives.', tests: ['F51', 'F152'] },
  {
    promise:
      'If one session returns from two questions at the same time, both results are kept, even those of two factories that share a flow store.',
    tests: ['F31', 'F65'],
  },
  {
    promise:
      'Two starts at once, a double click and a start during a release lose nothing ([with an exception](#what-is-not-defended)): the flow that the browser follows can be finished, and what was released in the meantime is kept.',
    tests: ['F12', 'F89'],
  },
  {
    promise:
      'What a hook does with `req.session` after its time limit changes no session, and an error with which it ends then does not end the process.',
    tests: ['F87'],
  },
];

/** The promises of the README. @type {readonly Promised[]} */
export const inShort = [
  {
    promise:
      'Only the browser that started a verification gets its result, and only with the one-time code of the return address.',
    tests: ['F1', 'F4'],
  },
  {
    promise:
      "So somebody who sends another person a link does not get that person's identity. One trick remains possible while you offer a QR code: an attacker shows their own code to another person, whose wallet approves.",
    tests: ['F2', 'F3'],
  },
  {
    promise:
      "Your app verifies the proof itself, in [numbered checks](docs/checks.md). A service's word is not enough, unless your own option `trust` says so.",
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T', 'L'],
  },
  {
    promise:
      'A proof counts for one verification only, for the party that asked the wallet, and for the attributes that you asked for.',
    tests: ['F21', 'F52', 'F53'],
  },
  {
    promise:
      "The session stores what your function `keep` returns, and the proof is stored nowhere. Until the person is back, the attributes are in the flow store, encrypted with your app's secret.",
    tests: ['F35', 'F36'],
  },
  {
    promise:
      'Outside development, no secret and no personal data gets into logs, events and error messages. The code in the return address is useless in another browser.',
    tests: ['F1', 'F38', 'F98'],
  },
  {
    promise:
      'The session gets a new id before your `onSuccess` runs, so an attacker who knows the old id has nothing. If people log in, set [`subject`](docs/sessions.md#who-is-logged-in) too.',
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
