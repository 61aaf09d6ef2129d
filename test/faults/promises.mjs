// What SECURITY.md and the README promise, each with its tests. `npm run docs` puts it there.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');

/**
 * A test is named by the number that its title begins with; a letter stands for the checks of lib/verify/checks.ts
 * that have it.
 * @typedef {object} Promised
 * @property {string} promise
 * @property {readonly string[]} tests
 *
 * @typedef {object} Attack
 * @property {string} attacker what somebody does, has or wants, after the word "Somebody"
 * @property {string} promise what stops it
 * @property {readonly string[]} tests
 */

/** @type {readonly Attack[]} */
export const attacks = [
  {
    attacker: "sends their own flow's wallet link to a victim, to get the victim's identity",
    promise:
      "The code comes to the victim's browser, whose session does not own the flow: nothing is released, and the code is revoked. For a QR code, see [QR relay](#what-is-not-defended).",
    tests: ['F1', 'F2', 'F4', 'F5', 'F7', 'F9', 'F168', 'F169'],
  },
  {
    attacker: 'sends their own return address to a victim',
    promise: "The victim's session does not own the flow.",
    tests: ['F1', 'F3'],
  },
  {
    attacker: 'sends on their wallet page, in an app with the ways `link` and `browser`',
    promise:
      'The wallet signs for the origin that the browser has seen, and that must be yours. Somebody [near the person](#what-is-not-defended) is left.',
    tests: ['F192', 'F195'],
  },
  {
    attacker: 'brings an answer of another verification or way, or from a page of their own',
    promise:
      'It must be encrypted for the key of that flow and that way, and come from a page of your origin in the session that began the flow.',
    tests: ['F193', 'F194'],
  },
  {
    attacker: 'posts to the callback of an app that asks wallets itself',
    promise:
      'An answer must be encrypted for the key of its flow, which goes with the accepted answer. An error or a bad proof ends no flow.',
    tests: ['F170', 'F171', 'F173', 'F175', 'F176'],
  },
  {
    attacker: 'has made a wallet, to write into your log',
    promise: "Of a wallet's error only a code of OpenID4VP goes on.",
    tests: ['F174'],
  },
  {
    attacker: 'uses a browser after somebody else',
    promise:
      'With [`subject`](docs/sessions.md#who-is-logged-in), a result counts only for the person who was logged in at the start, or whom `onSuccess` logged in. That of a guest counts for every guest of the same session.',
    tests: ['F40', 'F100'],
  },
  {
    attacker: 'owns a website that the victim visits, to start a flow in their browser',
    promise: "Only a POST from a page of your own origin starts a flow. pidgate's pages cannot be framed.",
    tests: ['F10', 'F11'],
  },
  {
    attacker: 'sends a link to your start page, to redirect people or to change your template',
    promise:
      '`returnTo` must be a path of your app. The addresses that a template gets contain no quotation mark and no apostrophe.',
    tests: ['F13', 'F41', 'F71'],
  },
  {
    attacker: 'sends the address of an error page, to frighten a person',
    promise: 'It speaks only in the session that began the flow.',
    tests: ['F125'],
  },
  {
    attacker: 'spells an address of pidgate differently, to get past a limiter or a log-in check',
    promise: 'pidgate answers one spelling of each address.',
    tests: ['F59', 'F63'],
  },
  {
    attacker: "plants a session id in a victim's browser",
    promise:
      'The session gets a new id before `onSuccess` runs. If the id cannot change, the return is refused.',
    tests: ['F8', 'F43', 'F70', 'F87'],
  },
  {
    attacker: 'has the session cookie of a person who has just logged out',
    promise:
      'pidgate writes nothing under the id of a session that has ended, except in one [short moment](#what-is-not-defended).',
    tests: ['F15', 'F31', 'F44', 'F45', 'F88', 'F115'],
  },
  {
    attacker: 'knows a `state`',
    promise:
      'An error or an invalid body ends no flow. A wallet signs its presentation for the nonce of one flow.',
    tests: ['F19', 'F20', 'F21', 'F22', 'F90'],
  },
  {
    attacker: 'has a forged, stolen, expired or altered presentation, or one for somebody else',
    promise: 'The [numbered checks](docs/checks.md) refuse it.',
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T'],
  },
  {
    attacker: 'has a derived result for a different value',
    promise: 'The value is signed with the result, unless your trust entry says `dangerouslyUnbound`.',
    tests: ['F52'],
  },
  {
    attacker: 'has a stored result of a different or older question, or of another app',
    promise:
      'It counts only for its own question, for `keepFor`, and, outside development, if its origin is in your `appUrl`.',
    tests: ['F53', 'F64', 'F70'],
  },
  {
    attacker: 'should be refused by your hook, but its return value is misspelled',
    promise: 'That is `hook_failed`, and nothing is kept.',
    tests: ['F66'],
  },
  {
    attacker: 'completes two flows, so that one counts as a repeat of the other',
    promise: 'Each flow has its own `receipt.id`.',
    tests: ['F73'],
  },
  {
    attacker: 'posts malformed, huge or slow callbacks',
    promise: 'Bodies are decoded strictly, and limited in size, time, memory and number.',
    tests: ['F16', 'F17', 'F18', 'F19', 'F28', 'F30', 'F54', 'F68', 'F69', 'F95', 'F104', 'F119'],
  },
  {
    attacker: 'cancels hundreds of verifications, to have other callbacks refused',
    promise: 'No limit counts callbacks by address.',
    tests: ['F92'],
  },
  {
    attacker: 'posts one callback many times at once',
    promise: 'One delivery at a time runs the hook.',
    tests: ['F23', 'F24'],
  },
  {
    attacker: 'sends forged presentations while a server of keys or status lists is down',
    promise:
      'A failed fetch of keys is not repeated within half a minute. Good presentations are checked with what is in the cache.',
    tests: ['F55', 'F75', 'F131'],
  },
  {
    attacker: 'holds a certificate for a different purpose, or with odd content',
    promise:
      'Its extended key usage and critical extensions are checked, and, of who signs an ID, the policies that the trust entry names (`leaf`).',
    tests: ['F56', 'F76', 'F77', 'F105', 'F108', 'F109', 'F129'],
  },
  {
    attacker: 'withholds the list of trusted entities, or serves another one',
    promise: 'Its signer is pinned, it expires, and no older list replaces a newer one.',
    tests: ['L', 'F106', 'F107'],
  },
  {
    attacker: "starts your app with the sandbox's trust in production",
    promise: 'pidgate refuses it, except as `xx-sandbox` with `allowSandbox`.',
    tests: ['F74'],
  },
  {
    attacker: 'sends a forged `Host`',
    promise: 'Origins come from `appUrl` only.',
    tests: ['F26', 'F70', 'F97'],
  },
  {
    attacker: 'is the service, or poses as it',
    promise:
      'pidgate calls https addresses only (on the same machine http too), follows no redirect, limits a reply, and escapes text from outside.',
    tests: ['F14', 'F25', 'F29', 'F39', 'F114'],
  },
  {
    attacker: 'reads or writes the stores',
    promise:
      "What is in them is sealed under your app's secret. Nobody without it can make or change a record, or what is kept.",
    tests: ['F35', 'F36', 'F86', 'F160'],
  },
  {
    attacker: 'reads logs, events or error messages',
    promise:
      'They contain no secret, no attribute and no `context` ([one exception in development](#what-always-holds)). `console.log` shows `[hidden]` for the attributes of a result.',
    tests: ['F38', 'F67', 'F98'],
  },
  {
    attacker: 'breaks a connection, kills a process, or takes the flow store down',
    promise: 'Each step is saved before the next, and the receipt is the same in every retry.',
    tests: [
      'F12',
      'F15',
      'F22',
      'F24',
      'F31',
      'F32',
      'F33',
      'F34',
      'F37',
      'F47',
      'F50',
      'F65',
      'F89',
      'F102',
      'F118',
    ],
  },
  {
    attacker: 'controls the app that `pidgate simulate` or `doctor` examines',
    promise:
      '`simulate` asks only that app, and the address on this machine to which it leads. Control characters are not printed.',
    tests: ['F82', 'F83'],
  },
];

/** @type {readonly Promised[]} */
export const session = [
  {
    promise:
      '`require`, `of`, `status`, the [redirect page](docs/architecture.md#the-same-site-redirect-page) and a refused return change neither the session nor its store.',
    tests: ['F45'],
  },
  {
    promise:
      'A session store that fails does not count as a session that has ended: the return can be repeated, and no code is revoked.',
    tests: ['F46'],
  },
  {
    promise:
      'If a write fails, or the connection breaks before the response has left the app, nobody loses their log-in or their cart.',
    tests: ['F47', 'F65'],
  },
  {
    promise:
      'After five seconds without an answer of the store, a request ends with `session_save_failed`, and the next one works.',
    tests: ['F48'],
  },
  {
    promise:
      '`forget` erases every result of its factory, or it [throws](docs/sessions.md#logging-out) and changes nothing ([except for a timeout](#what-is-not-defended)).',
    tests: ['F49', 'F88', 'F115', 'F116', 'F117'],
  },
  { promise: 'The lifetime that your app gave the session survives.', tests: ['F51', 'F152'] },
  {
    promise:
      'If one session returns from two questions at once, both results are kept, even those of two factories that share a flow store.',
    tests: ['F31', 'F65'],
  },
  {
    promise:
      'Two starts at once, or a start during a release, lose nothing ([with an exception](#what-is-not-defended)).',
    tests: ['F12', 'F89'],
  },
  {
    promise: 'A hook that is late changes no session, and its error does not end the process.',
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
      'Outside development, pidgate puts no secret and no personal data into logs, events and error messages. The code in the return address is useless in another browser.',
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
  const checks = read('lib/verify/checks.ts');
  const numbers = [...checks.matchAll(/^ {2}([A-Z]\d\d): /gm)].map(([, number = '']) => number);
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
