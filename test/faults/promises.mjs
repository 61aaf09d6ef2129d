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
 * @property {string} attacker what the attacker does or has
 * @property {string} attempt
 * @property {string} promise what stops it
 * @property {readonly string[]} tests
 */

/** @type {readonly Attack[]} */
export const attacks = [
  {
    attacker: "sends their own flow's wallet link to a victim",
    attempt: "the victim's identity in their session",
    promise: 'The attacker has the session, the victim the code, whose return revokes it.',
    tests: ['F1', 'F2', 'F4', 'F5', 'F7', 'F9'],
  },
  {
    attacker: 'completes a flow and sends the return address to a victim',
    attempt: "their identity in the victim's session",
    promise: "The victim's session does not own the flow.",
    tests: ['F1', 'F3'],
  },
  {
    attacker: 'uses a browser after somebody else',
    attempt: 'what the other account proved',
    promise:
      'Who is logged in at the return must be who was at the start, and nobody if nobody was; results of another subject do not count.',
    tests: ['F40', 'F100'],
  },
  {
    attacker: 'owns a website that the victim visits',
    attempt: 'starting a flow',
    promise: 'Only a POST from your origin starts one. Pages cannot be framed; prefetching does nothing.',
    tests: ['F10', 'F11'],
  },
  {
    attacker: 'sends a link to your start page',
    attempt: 'a redirect elsewhere, markup in your template',
    promise: "`returnTo` must be your app's path. Pages' addresses contain no quote.",
    tests: ['F13', 'F41', 'F71'],
  },
  {
    attacker: 'spells an address of pidgate differently',
    attempt: 'bypassing a limiter or log-in check mounted there',
    promise: 'Other spellings never reach pidgate, but your app (404).',
    tests: ['F59', 'F63'],
  },
  {
    attacker: "plants a session id in a victim's browser",
    attempt: 'a verified session whose id they know',
    promise:
      'The session gets a new id before `onSuccess` runs; nothing is ever written under the old one. An id that cannot change is refused.',
    tests: ['F8', 'F43', 'F70', 'F87'],
  },
  {
    attacker: 'has the session cookie of someone just logged out',
    attempt: 'reviving the session',
    promise:
      'pidgate writes no session that its store no longer has, however the cookie is spelled or slow the body, and nothing while reading; `forget` changes nothing there.',
    tests: ['F15', 'F31', 'F44', 'F45', 'F88'],
  },
  {
    attacker: 'knows a `state`',
    attempt: 'ending the flow, fetching its reply, passing off another presentation',
    promise:
      'An invalid body ends nothing; only the same body gets the same reply; every hook judges every accepted body. Presentations are bound by nonce, audience and key.',
    tests: ['F19', 'F20', 'F21', 'F22', 'F90'],
  },
  {
    attacker: 'has a forged, stolen, expired or altered presentation, or one made for somebody else',
    attempt: 'acceptance',
    promise: 'The numbered checks.',
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T'],
  },
  {
    attacker: 'has a derived result for a different value',
    attempt: 'an answer to your question',
    promise: 'The value asked about is signed with the result.',
    tests: ['F52'],
  },
  {
    attacker: 'has a stored result of a different or older question',
    attempt: 'passing a guard',
    promise: 'It counts only for its own question, and no longer than `keepFor` says now.',
    tests: ['F53', 'F70'],
  },
  {
    attacker: 'has a flow or stored result of another app on the same store',
    attempt: 'having it count in yours',
    promise: 'It counts only if its origin is in your `appUrl`.',
    tests: ['F64'],
  },
  {
    attacker: 'should be refused by your hook',
    attempt: 'getting in by its misspelled return value',
    promise: 'All but nothing, `redirectTo` and `refuse` is `hook_failed`, and nothing is kept.',
    tests: ['F66'],
  },
  {
    attacker: 'completes two flows',
    attempt: 'one counting as a repeat of the other',
    promise: '`receipt.id` differs wherever the states differ.',
    tests: ['F73'],
  },
  {
    attacker: 'posts malformed, huge or slow callbacks',
    attempt: 'a crash, a hang, a full memory',
    promise:
      'Decoding is strict; size, time and number are limited, of the values in a token too, and what unfinished bodies hold together. Unknown states store nothing.',
    tests: ['F16', 'F17', 'F18', 'F19', 'F28', 'F30', 'F54', 'F68', 'F69', 'F95', 'F104'],
  },
  {
    attacker: 'cancels hundreds of verifications of their own',
    attempt: "that other people's callbacks are refused",
    promise: "No limit counts callbacks by address, because all of them come from the service's.",
    tests: ['F92'],
  },
  {
    attacker: 'posts one callback many times at once',
    attempt: 'a hook that runs twice, a lost result',
    promise: 'One delivery runs the hook; the others wait for its result or get 503.',
    tests: ['F23', 'F24'],
  },
  {
    attacker: 'sends forged presentations while a key or list server is down',
    attempt: 'a fetch for each, a wait for everyone',
    promise: 'A failed fetch is not repeated at once. Good presentations use the cache.',
    tests: ['F55', 'F75'],
  },
  {
    attacker: 'holds a certificate for a different purpose under the same root',
    attempt: 'signing a credential',
    promise:
      'Extended key usage is checked by role, for status lists too, and a policy that the entry demands along the path. Unknown critical extensions are refused, and those that limit names or policies.',
    tests: ['F56', 'F76', 'F105', 'F109'],
  },
  {
    attacker: 'sends a certificate with an odd key or content',
    attempt: 'a crash, a slow verification',
    promise:
      'It is refused without an exception. No key is used before its type and size are known, and a trusted CA has signed it (except of a leaf that calls itself its own issuer).',
    tests: ['F77', 'F108'],
  },
  {
    attacker: 'withholds the list of trusted entities, or serves an older or different one',
    attempt: 'an anchor of theirs, or a removed one',
    promise:
      'The signer is pinned. Lists expire and do not go back. A new list drops what was checked with the old one. Providers count by country.',
    tests: ['L', 'F106', 'F107'],
  },
  {
    attacker: "starts your app with the sandbox's trust in production",
    attempt: 'a test person who counts as real',
    promise: 'It is refused, except under `xx-sandbox` with `allowSandbox`.',
    tests: ['F74'],
  },
  {
    attacker: 'sends a forged `Host`',
    attempt: 'their address in the reply, endless runs of `onError`',
    promise: 'Origins come from `appUrl` only. What anyone can cause many times calls `onEvent` only.',
    tests: ['F26', 'F70', 'F97'],
  },
  {
    attacker: 'is the service, or impersonates it without a valid certificate',
    attempt: 'a browser sent to `javascript:` or http, markup in a page, an endless reply',
    promise: 'Only https, no redirects, limited replies. External text is shortened and escaped.',
    tests: ['F14', 'F25', 'F29', 'F39', 'F114'],
  },
  {
    attacker: 'reads the flow store, and the session store too',
    attempt: 'attributes of flows in progress',
    promise:
      "Records are sealed under your app's secret, which neither store has. What is kept in sessions can be read.",
    tests: ['F35', 'F36'],
  },
  {
    attacker: 'writes to the flow store',
    attempt: 'a verified record with a name of their choice',
    promise:
      "Nobody without your app's secret makes a record, and none opens under another id, path or factory.",
    tests: ['F86'],
  },
  {
    attacker: 'reads logs, events or error messages',
    attempt: 'secrets, personal data',
    promise:
      "They contain no state, code, key, presentation, attribute or `context`; of a wrong hook result, the property names. `console.log` and `util.inspect` show `[hidden]` for a result's values.",
    tests: ['F38', 'F67', 'F98'],
  },
  {
    attacker: 'breaks the connection at the worst moment',
    attempt: 'a lost proof, log-in or cart; a proof used twice',
    promise:
      'Saved are session and flow before the network call, the result before the reply, the new session before the old one ends.',
    tests: ['F12', 'F15', 'F22', 'F24', 'F31', 'F47', 'F65', 'F89', 'F102'],
  },
  {
    attacker: 'kills a process, or takes the flow store down',
    attempt: 'a lost proof, two hooks at once, a reply for an unwritten result',
    promise:
      'Each step is one compare-and-swap. Leases expire. Unknown outcomes are 503. The receipt stays the same.',
    tests: ['F32', 'F33', 'F34', 'F37', 'F50', 'F65'],
  },
  {
    attacker: 'controls the app that `pidgate simulate` or `doctor` examines',
    attempt: 'requests to other machines, cookies, control of the terminal',
    promise: "`simulate` and its cookies stay at the app's origin. Control characters are not printed.",
    tests: ['F82', 'F83'],
  },
];

/** @type {readonly Promised[]} */
export const session = [
  {
    promise:
      '`require`, `of`, `status`, the redirect page and refused returns change neither session nor store, however express-session is set.',
    tests: ['F45'],
  },
  {
    promise:
      'A failing session store is not taken for a missing session: a return can be repeated, and no code is revoked.',
    tests: ['F46'],
  },
  {
    promise:
      'A refused write, or a connection that breaks before the response, costs neither log-in nor cart.',
    tests: ['F47', 'F65'],
  },
  {
    promise:
      "A store that never calls back ends with `session_save_failed`, and the session's next request works.",
    tests: ['F48'],
  },
  {
    promise:
      "`forget` erases in the stored session, or throws and changes nothing: where the session has ended, or was renewed in this request and not saved yet. It does not quote the store's error.",
    tests: ['F49', 'F88'],
  },
  { promise: 'The lifetime that your app gave the session survives.', tests: ['F51'] },
  { promise: 'What another request writes in the meantime stays.', tests: ['F58'] },
  {
    promise:
      'Two simultaneous returns of one session, of factories that share a flow store, both keep their results.',
    tests: ['F31', 'F65'],
  },
  {
    promise:
      'Two starts at once, a double click, a start during a release: the flow that the browser follows can be finished, and what was released meanwhile is kept.',
    tests: ['F12', 'F89'],
  },
  { promise: 'A hook that ends after its time reaches no session, and ends no process.', tests: ['F87'] },
];

/** The ten lines of the README. @type {readonly Promised[]} */
export const inShort = [
  {
    promise:
      'A result is handed over only to the browser that started, and only with the one-time code from the return address.',
    tests: ['F1', 'F4'],
  },
  {
    promise:
      "So nobody gets another person's identity by sending them a link. Relaying a QR code remains possible, as with every such flow.",
    tests: ['F2', 'F3'],
  },
  {
    promise:
      "Your app verifies the proof itself, with numbered checks. The service's word is not enough, unless your trust entry says so.",
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T', 'L'],
  },
  {
    promise: 'A proof counts for one flow, one verifier and the attributes you requested.',
    tests: ['F21', 'F52', 'F53'],
  },
  {
    promise:
      'Attributes reach your hooks, and your session as far as `keep` returns them. The proof itself is not stored.',
    tests: ['F36'],
  },
  {
    promise:
      'Between callback and return, attributes are in the flow store, encrypted. Their keys are not in it.',
    tests: ['F35'],
  },
  {
    promise:
      'pidgate puts no secret and no personal data into logs, events and error messages. The return address contains a one-time code, which is useless in another browser.',
    tests: ['F1', 'F38', 'F98'],
  },
  {
    promise:
      'The session gets a new id before `onSuccess` runs. pidgate does not bring back a session that has ended; one [short race](SECURITY.md#what-is-not-defended) remains.',
    tests: ['F8', 'F43', 'F44'],
  },
  {
    promise:
      'Only a page of your own origin can start, and every callback is limited in size, time and number.',
    tests: ['F10', 'F16', 'F28', 'F30', 'F54', 'F95'],
  },
  {
    promise:
      'Numbered tests show each of these. [SECURITY.md](SECURITY.md) says what is defended, and what is not.',
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
