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
    attacker: "starts a flow and sends the wallet's link to a victim",
    attempt: "the victim's identity in the attacker's session",
    promise:
      "the attacker has the session and not the code, the victim has the code and not the session; the victim's arrival burns the code",
    tests: ['F1', 'F2', 'F4', 'F5', 'F7', 'F9'],
  },
  {
    attacker: 'finishes with their own identity and sends the return address to a victim',
    attempt: "the attacker's identity in the victim's session",
    promise: "the victim's session does not own the flow",
    tests: ['F1', 'F3'],
  },
  {
    attacker: 'shares a browser, or uses it next',
    attempt: 'what another account has proved',
    promise:
      '`subject` is asked at every step; after a change nothing is handed over and kept data do not count',
    tests: ['F40'],
  },
  {
    attacker: 'owns another web site that the victim visits',
    attempt: 'starting a flow, framing a page, using a prefetch, sending the person elsewhere afterwards',
    promise:
      'only a POST from a page of your origin starts; pages cannot be framed; prefetching a page does not start anything; `returnTo` is a path of your app or nothing',
    tests: ['F10', 'F11', 'F13', 'F41'],
  },
  {
    attacker: 'plants a session id',
    attempt: 'a verified session whose id they know, or a look at what your hook writes',
    promise:
      'the session has a new id before `onSuccess` runs; nothing of the release is written under the old id; no old id is remembered',
    tests: ['F8', 'F43'],
  },
  {
    attacker: 'uses a session cookie whose owner has just logged out',
    attempt: 'a late request that brings the session back',
    promise:
      'a session that its store no longer holds is never written; reading writes nothing; no cookie is parsed',
    tests: ['F31', 'F44', 'F45'],
  },
  {
    attacker: 'knows a `state`',
    attempt: 'ending the flow, fetching the stored reply, passing off another presentation',
    promise:
      'a bad body ends nothing; only the same body gets the same reply; a presentation is bound by nonce, audience and key',
    tests: ['F19', 'F20', 'F21', 'F22'],
  },
  {
    attacker: 'has a presentation that is forged, stolen, expired, altered or made for somebody else',
    attempt: 'having it accepted',
    promise: 'the numbered checks, each with a token that only it refuses: `test/presentation`',
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T'],
  },
  {
    attacker: 'has a derived result for another value',
    attempt: 'an answer to your question',
    promise: 'the value that was asked about is signed with the result',
    tests: ['F52'],
  },
  {
    attacker: 'has kept data of another or an older question',
    attempt: 'passing a guard that asks something else',
    promise: 'kept data count for the question that they were kept for',
    tests: ['F53'],
  },
  {
    attacker: 'posts callbacks: malformed, huge, repeated, at once',
    attempt: 'a crash, a hang, two runs of a hook, a full memory',
    promise:
      'strict decoding, limits in bytes, time and number, compare-and-swap, leases; nothing is stored for a state that is not waiting',
    tests: ['F16', 'F17', 'F18', 'F23', 'F24', 'F28', 'F30', 'F54'],
  },
  {
    attacker: 'sends presentations with made-up key ids while the key server is away',
    attempt: 'a fetch for each, and a wait for everyone',
    promise: 'one fetch in half a minute; good presentations use cached keys',
    tests: ['F55'],
  },
  {
    attacker: 'holds a certificate for another purpose under the same root',
    attempt: 'signing a credential with it',
    promise: 'extended key usage is checked by role; unknown critical extensions are refused',
    tests: ['F56'],
  },
  {
    attacker: 'publishes an older list of trusted entities, or another one, or keeps it away',
    attempt: 'an anchor of theirs, or one that was removed',
    promise:
      "the list's signer is pinned, its sequence never goes back, it counts for a limited time, and a new list drops what was checked with the old one; see `test/presentation/lote`",
    tests: ['L'],
  },
  {
    attacker: 'sends another `Host`',
    attempt: 'an address of theirs in the reply',
    promise: 'origins come from `appUrl` only, never from a request',
    tests: ['F26'],
  },
  {
    attacker: 'is the service, or is in its place without a valid certificate',
    attempt: 'a redirect to anywhere, markup in a page, a reply without end',
    promise:
      'https only, no redirects, bounded replies, `redirect_url` checked, text from outside is shortened and escaped',
    tests: ['F14', 'F25', 'F29', 'F39'],
  },
  {
    attacker: 'reads the flow store',
    attempt: 'attributes, states',
    promise:
      'records are sealed with keys derived from the state, the result with a key derived from the code; neither is stored there',
    tests: ['F35', 'F36'],
  },
  {
    attacker: 'reads flow store and session store, before the return',
    attempt: 'attributes',
    promise: 'neither has the code. They can read what you put into `context`, and what was kept earlier',
    tests: ['F35'],
  },
  {
    attacker: 'reads logs, metrics, error reports, URLs',
    attempt: 'secrets, personal data',
    promise:
      'none of them gets a state, code, key, presentation, attribute or context value; printing a result shows names and `[hidden]`',
    tests: ['F38'],
  },
  {
    attacker: 'breaks the connection at the worst moment',
    attempt: 'a proof, log-in or cart lost, or a proof used twice',
    promise:
      'saved before the network call, written before the reply, idempotent by the body; the new session is saved before the old one ends',
    tests: ['F12', 'F15', 'F22', 'F24', 'F31', 'F47'],
  },
  {
    attacker: 'kills a process, or takes the flow store away, at the worst moment',
    attempt: 'a proof lost, a hook that ran twice at once, a reply for what was never written',
    promise:
      'one compare-and-swap in the database for each step, leases that expire, 503 where an outcome is unknown, the same receipt over every rerun',
    tests: ['F32', 'F33', 'F34', 'F37', 'F50'],
  },
];

/** @type {readonly Promised[]} */
export const session = [
  {
    promise:
      'The holder of an old or planted session id sees nothing of a release: not during `onSuccess`, not after it, not after a broken connection.',
    tests: ['F43'],
  },
  {
    promise:
      'No route of the kit brings back a session that has ended, in any spelling of the cookie and however slowly a body is sent.',
    tests: ['F44', 'F15', 'F31'],
  },
  {
    promise:
      '`require`, `of`, `status`, the hop and refused returns change neither the session nor its store, under every setting of express-session.',
    tests: ['F45'],
  },
  {
    promise:
      'A session store that fails is not taken for a missing session: the return can be tried again, and nothing is burnt.',
    tests: ['F46'],
  },
  {
    promise:
      'A store that refuses the write, or a connection that breaks before the answer, costs neither log-in nor cart.',
    tests: ['F47'],
  },
  {
    promise:
      'A store that never calls back ends with `session_save_failed`, and the next request of that session works.',
    tests: ['F48'],
  },
  {
    promise:
      "`forget` erases in a request that has just made or renewed its session too, and throws where it could not. The error does not quote the store's.",
    tests: ['F49'],
  },
  { promise: 'The lifetime that your app gave the session survives.', tests: ['F51'] },
  { promise: 'Changes that another request wrote meanwhile are still there afterwards.', tests: ['F58'] },
  {
    promise: 'Of two returns of one session at once, neither loses what the other one keeps.',
    tests: ['F31'],
  },
  {
    promise: 'Kept data count only for the same `subject`; undefined counts as a value of its own.',
    tests: ['F40'],
  },
];

/** The ten lines of the README. @type {readonly Promised[]} */
export const inShort = [
  {
    promise:
      'A result is handed over only to the browser that started, and only with a one-time code that the service gave to it.',
    tests: ['F1', 'F4'],
  },
  {
    promise:
      "So nobody gets another person's identity by sending them a link. Relaying a QR code remains possible, as with every such flow.",
    tests: ['F2', 'F3'],
  },
  {
    promise:
      "Your app verifies the proof itself, with numbered checks; the service's word is not enough, unless your trust entry says so.",
    tests: ['P', 'H', 'K', 'S', 'C', 'B', 'T', 'L'],
  },
  {
    promise: 'A proof counts for one flow, one verifier and the attributes that were asked for.',
    tests: ['F21', 'F52', 'F53'],
  },
  {
    promise:
      'Attributes are in your hooks, and in your session as far as `keep` returns them. They are nowhere else.',
    tests: ['F36', 'F38'],
  },
  { promise: 'The flow store holds only encrypted data; the keys are not in it.', tests: ['F35'] },
  { promise: 'Logs, events, errors and addresses contain no secret and no personal data.', tests: ['F38'] },
  {
    promise: 'The session gets a new id before `onSuccess` runs. A log-out stays a log-out.',
    tests: ['F8', 'F43', 'F44'],
  },
  {
    promise:
      'Only a page of your own origin can start, and every callback is bounded in size, time and number.',
    tests: ['F10', 'F16', 'F17', 'F28', 'F30'],
  },
  {
    promise:
      'Each of these has tests that carry its number. [SECURITY.md](SECURITY.md) has the threat model, and [what is not defended](SECURITY.md#what-is-not-defended).',
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
  const [checks = ''] = read('docs/checks.md').split('## Later');
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
