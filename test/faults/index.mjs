// Makes INDEX.md, and the promises in SECURITY.md and README.md. `npm run docs` writes them.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { titlesIn } from '../support/titles.mjs';
import { attacks, inShort, numbersOf, session } from './promises.mjs';

const tests = join(import.meta.dirname, '..');
const root = join(tests, '..');

/**
 * What must hold under each fault. F6 was given to none.
 * @type {Readonly<Record<string, string>>}
 */
export const faults = {
  F1: 'A result is handed over only if the session owns the flow and the code fits it; every refusal shows the same page.',
  F2: "An attacker starts and a victim completes: nobody gets data, and the victim's return revokes the code.",
  F3: "An attacker who completes with their own identity and passes the return address on changes nothing in a victim's session.",
  F4: 'A code works for one release; two returns at once run `onSuccess` once, and a hook that throws leaves the code usable.',
  F5: 'No route hands data over without the code; the status route tells a state only, and only to the session that owns the flow.',
  F7: 'A return in another browser gets nothing, and the first tab is offered a new start.',
  F8: 'A release gives the session a new id, keeps its data and its lifetime, and leads to an address without a code.',
  F9: 'A SameSite=Strict session cookie costs one page in between, and only the second visit can revoke a code.',
  F10: 'Only a POST from a page of the same origin starts a flow.',
  F11: 'Prefetching and HEAD change nothing at start, callback and return.',
  F12: 'Each start is a flow of its own, and none is lost to another, nor to a parallel write.',
  F13: '`returnTo` takes only paths of the same origin, however they are spelled.',
  F14: 'A browser is sent only to an https address of the service (http on loopback).',
  F15: 'The session, then the flow, are saved before the service is called, and the session is not written after that.',
  F16: 'The callback takes one method, one type, one charset and a bounded body, and decodes it strictly.',
  F17: 'A callback has exactly one state, and either a presentation or an error.',
  F18: "A body parser of the app that ran first changes nothing, or a named error says what to move in the app's code.",
  F19: 'A state that cannot be ours is 400; one that is unknown, expired or failed gets one constant reply.',
  F20: 'Invalid presentations and forged errors never end a flow; a valid one still wins.',
  F21: 'A presentation made for another flow, verifier or issuer is refused.',
  F22: 'The same body gets the same reply without a second hook; no other body gets that of the accepted one.',
  F23: 'Eight deliveries at the same moment, at one process or at two, run the hooks once.',
  F24: 'The store has the result before the reply is sent.',
  F25: 'The redirect of a failed verification has a code and a family, and no words from outside.',
  F26: 'The reply has only `redirect_uri`, with an origin from `appUrl`, whatever Host was sent.',
  F27: "The callback needs no session and sets no cookie, and works beside the app's CSRF protection.",
  F28: 'Verifying, hooks and waiting end in time, with documented outcomes.',
  F29: '`error` and `error_description` come from anyone: they are cut, cleaned, escaped, and never in an address.',
  F30: 'A rate limiter in front of the start is one line, and the limits hold under 1,000 requests at once.',
  F31: "The callback never writes into a session; two returns at the same moment end well, and neither loses the other's data.",
  F32: 'Each step is one compare-and-swap in the store, for several processes too.',
  F33: 'A process that is killed at any step leaves a flow that another one finishes, with the same receipt.',
  F34: 'A store that goes away at any step costs a retry, and no result.',
  F35: "A copy of both stores, taken between callback and return, opens nothing without the app's secret.",
  F36: 'A raw presentation is not stored, and what was kept does not count after its deadline.',
  F37: 'Every order of requests, faults and expiry ends in a state that the table of transitions allows.',
  F38: 'No secret and no personal value is in a log line, an event, a message, a cause or a page.',
  F39: 'A service that is slow, refuses, breaks off or replies with nonsense ends in its own code and a page.',
  F40: 'With `subject`: if another person is logged in at the return, or somebody where nobody was, nothing is handed over, and they never see what was kept before.',
  F41: 'Names from outside are looked up as own keys only.',
  F42: 'Session middleware that is missing or lacks something is named in one sentence, with what to do.',
  F43: 'Two browsers that share a planted session id never meet in a session that a release has made.',
  F44: 'A log-out stays a log-out, however the cookie is spelled and however slowly a body is sent.',
  F45: 'Reading the result, the status or a refused page writes neither the session nor its store.',
  F46: 'A failing session store is not taken for a missing session: the return can be tried again, and no code is revoked.',
  F47: 'A release writes the new session before the old one ends, so that a broken write, or a line that is seen to break, costs no log-in.',
  F48: 'A session store that never calls back ends with `session_save_failed`, and the next request works.',
  F49: '`forget()` erases, or throws: a session that was renewed in the same request must be saved first.',
  F50: 'A store that refuses the version it has just shown ends in `store_unavailable`, not in a loop.',
  F51: "The lifetime that the app gave its session survives each of the kit's writes.",
  F52: 'A derived result counts only for the value that was asked about.',
  F53: 'What was kept counts only for the question that it was kept for.',
  F54: 'Decoding the worst body within the limits costs at most three times what `querystring.parse` needs.',
  F55: 'Presentations with unknown key ids cause one fetch while the key server is away, and good ones do not wait.',
  F56: 'The extended key usage of every certificate is checked against a list for its role; unknown critical extensions are refused.',
  F57: "An `onEvent` that throws changes nothing, and a bug in an app's own verifier is an error with its cause.",
  F58: 'What another request wrote into the session meanwhile is still there after a start or a hook.',
  F59: '"Start again" leads to the question that failed, with the same `returnTo`; other spellings of the path are 404.',
  F60: 'The documented limiter keeps other visitors served in a flood of starts, and memoryStore is bounded in bytes.',
  F61: "An operator's fault is one line on the log, at most once per code per minute, without personal data.",
  F62: 'Settings of session, cookie and proxy that cannot work are named for what they are, in development.',
  F63: 'The kit answers one spelling of each of its addresses: a limiter or a log-in check mounted there is never passed by.',
  F64: 'An app knows only flows and kept data of the origins that it lists, no matter who shares its stores; a code is revoked at the app that it belongs to.',
  F65: 'Two returns of one session at once lose nothing, of one factory or of two on one store; the flow is closed after the answer, and only if that left the app.',
  F66: "A hook's answer fails closed: what is neither nothing nor exactly `redirectTo` or `refuse` is `hook_failed`, told by its keys, and a compile error.",
  F67: "The log says why presentations are refused, once per number per minute, in the kit's own sentence; in development the page says it too.",
  F68: 'A body that is too long by its own Content-Length is 413 at once, and the connection is closed.',
  F69: '`req.session` is on the request again when the response has finished.',
  F70: 'What was kept is bounded and counts no longer than `keepFor` of now; a session id that does not change is refused; requests that never were a flow call no hook.',
  F71: 'A hook that has answered the request itself, and a session that JSON cannot carry, are named; no address that a template gets has an apostrophe.',
  F72: 'Each promise of SECURITY.md and the README names tests, and at least one of them has passed in the build.',
  F73: '`receipt.id` differs wherever states differ, whatever their form.',
  F74: "Trust and access certificates that bear a sandbox's mark, however they were copied, are refused outside development and test.",
  F75: 'Forged presentations cause few fetches, a server that hangs delays no good one, and a list under way outlives no signer.',
  F76: 'Signers of status lists have rules and, if named, anchors of their own, and never sign a credential.',
  F77: 'No certificate makes the verifier throw, no key counts before its strength is known, an expired anchor hides no good path, and every address in a trust entry is https.',
  F78: 'An entry that can check nothing, a wrong expectation and a trust that is no plain object are refused in words.',
  F79: 'CAs whose purpose is to certify signers of PIDs or documents do so: real PID CAs and the leaves below them pass.',
  F80: 'Real lists of trusted entities pass, and what breaks the standard passes only where the entry names it.',
  F81: 'A list of nationalities without an element is `attributes_missing`; `cnf` may name its key, and `key_ops` may be empty.',
  F82: "`simulate` and `complete` stay at the app's origin, and ask no other machine that was named once. At an address of its own, the sandbox has nothing that steers it.",
  F83: 'What another program said reaches the terminal without control characters, and `doctor --entry` reports on a trust entry of every form.',
  F84: 'The sandbox resembles the German PID: state, a CA of its own for status lists, no more than was asked; its wallet wants a registration.',
  F85: 'The survivors of both lists of mutants that matter have a test each.',
  F86: 'Who can write to the flow store makes no record: nothing they write is released, or shown as verified.',
  F87: 'A hook that ends after its time limit changes no session, and does not end the process.',
  F88: '`forget` revives no session that has ended, and what was begun before it is handed to nobody.',
  F89: 'No start is lost: a double click, a start during a release, in one process and two.',
  F90: "With `confirm: 'callback'` the hook judges every presentation that is accepted, in any order of failures.",
  F93: 'What was kept by a clock that was more than 15 minutes ahead does not count.',
  F94: 'A flow store that answers nonsense is `store_unavailable` on every route.',
  F97: 'A stranger cannot make hooks run: another log-in at the return, and a verdict that cannot be reached, are events.',
  F100: 'With `subject`, whoever is logged in at the return was logged in at the start; if nobody was, nobody is.',
  F101: 'A return that is refused says what it knows of its own request, to the person, the developer and the operator.',
  F102: 'Where no line carries the response (serverless), one that was handed over is a success.',
  F111: 'What the package carries of others is named, with its version, in its file and in the list of components; all else is what the app has installed.',
  F112: 'A release is packed from pinned versions by a job without a token, and published by one that runs nothing of the repository.',
  F104: 'The limit of values counts members, elements and empty containers of a whole token, however they are nested or spread.',
  F105: "A leaf's policy counts only where every CA below the anchor certifies it; what limits names or policies is refused, critical or not.",
  F106: 'Providers in a list of trusted entities count by country; a name or trade name only selects among those of the country.',
  F107: 'Configured anchors beside such a list need a store, so that they do not come back by a restart.',
  F108: 'The times of certificates stand in one of the two forms of RFC 5280, to the second and in UTC.',
  F109: "Each case of NIST's suite for certificate paths has its verdict; of the bad ones only tests of revocation lists are accepted.",
  F110: '`inspect` says of what is no presentation that it is none, and exits with 1, however deep it is nested.',
  F114: 'Status lists, key sets and lists of trusted entities are read where their server compresses them with gzip; bombs and broken or other encodings are refused.',
  F129: 'A CA below the anchor that has no policies certifies no demanded policy, as RFC 5280 says and OpenSSL does.',
  F130: 'The `iss` of a status list need not be that of the credential: its address, its `sub` and its anchors bind it.',
  F131: 'A status list that failed is asked for again at once, as check K14 says: only who passed all other checks causes it.',
  F132: '`inspect` answers in words about a text of any length, and shows no more Disclosures than a check allows.',
  F99: 'The example is a model: member numbers do not collide and are not who is logged in, a step-up compares all that the account says, and production has its secrets and knows its proxy.',
  F91: 'An option whose absence lifts a restriction must not be `undefined`: a name that is misspelled one level up opens no door.',
  F92: "Nobody can use up the limit of others: the documents limit the start by address, and never the callback, which comes from the service's.",
  F95: 'Unfinished bodies hold at most 64 MB together: past it the one that has been open longest is 408, and a new one is taken.',
  F119: 'Nobody pushes the body of another out by pieces of one byte: more than 1,024 pieces are 408 by themselves, and past 64 MB together the most pieces go first.',
  F96: 'A start of somebody without a cookie costs less than 1 kB of a flow (with `wallets` 120 bytes more) and 1.1 kB of a session: `returnTo` has 500 characters at most.',
  F98: "Logs that are printed as the documents say hold nothing personal: step, code and flow; an event has no words of an app's own verifier.",
  F103: 'A script that fetches a guarded address gets 401 and no page, whatever it accepts; htmx is led to the start and back to its own page.',
  F115: '`forget` saves nothing but what it erases: over a session that this request has changed, or another one, it is refused, and so is `identity.start` in a route.',
  F116: 'Two calls of `forget` in one request, of one factory or two, both erase.',
  F117: 'A `forget` whose save fails changes nothing in the request, and leaves nothing for express-session to save.',
  F118: 'A lock is given back only by the return that holds it: one that comes late, after its lock ran out, frees none of another. A process that stood still does not begin onVerified or onSuccess if that might outlast its lease or lock.',
  F113: 'Options written apart from the call compile in every TypeScript, typing of Express and way to find modules that is supported.',
  F120: "The query of a form of the app's own route is kept whole, and no parameter beside the mark of the kit's own page hides it.",
  F121: "A first visitor with another middleware's signed cookie presses a form of the app's own route twice; the documents say so, and its price.",
  F122: 'HTTP/2 ends at the proxy: in the process itself people are verified, and each return counts as interrupted.',
  F123: 'A `secret` of one repeated character or of spaces is `config_invalid`, and no print of a factory, however deep, shows a secret.',
  F125: "A page about a person's ID, or about what the person did, speaks only in the session to which it happened.",
  F134: 'The trust entries of the documents name the issuer, without which `K10` refuses each ID that has one.',
  F124: 'A sign-up of the example with a table of users gives the session a new id.',
  F126: '`isAtLeast` throws for an age that is no whole number of years from 1 to 150: a text from the environment makes nobody a minor in silence.',
  F127: 'Every name below `localhost` is this machine, so an app of subdomains is developed with a sandbox; an address elsewhere is named.',
  F128: '`sandbox.complete` says what was probably meant where there is no start, and its `error` is never an undocumented word.',
  F144: 'Cancel is not told as a no in the wallet.',
  F168: 'After an answer by the link the page of whoever started never gets the code: only the browser that the wallet sends back gets in.',
  F169: 'By a way that a flow does not allow nothing is asked, answered or shown, however an address is edited.',
  F170: 'An answer is closed for the key of one flow and one way: another key, kid or state opens nothing, and a flow that is verified, over or unknown costs no cryptography.',
  F171: 'A wallet posts one encrypted response with one presentation, or one error; the form of a service is nothing to it, and its own nothing to an app that asks a service.',
  F172: 'The request of a wallet is of the origin, the certificate and the way of its flow, and is gone with it.',
  F173: 'What brought no verdict is 503 to a wallet, which sends once; the page says so, and the same answer still counts.',
  F174: "A wallet's own words reach neither page, log, event nor hook.",
  F175: 'The page that waits for a wallet is for its own session, and leaves by itself only for an answer by the code, a refusal, Cancel or the end.',
  F176: 'Of two answers the first good one counts, once, and with it goes the key that opens answers.',
  F177: 'Each flow keeps to the certificate that it began with; one that has ended asks no more, and a signature from elsewhere is verified before it goes out.',
  F178: 'What is wrong with certificate, key, registration, ways, trust or variables is told when the factory is made, and nothing of a key is quoted.',
  F190: 'Verified is not allowed: whom the rule of a question refuses no guard lets in, and `of` returns nothing of them.',
  F191: 'A handler that awaits a guard goes on for whom the guard admits, and for nobody else; no request is answered twice.',
  F192: 'By the browser an answer counts only if the wallet has signed for the origin of the app, with or without a slash; a careful wallet answers no page of another one.',
  F193: 'No answer of one way is good in another: each has its own key, audience and address, and what one has accepted brings out no code elsewhere.',
  F194: "What the browser has brought counts from this app's page alone, in the session that owns the flow, encrypted for that flow, and once.",
  F195: 'Without the way `code` nothing is shown, served or accepted by code, and whoever sends on what their page has gets nothing.',
  F196: 'The page asks the browser only where the flow allows it, is as it was whatever the browser does, and loads nothing again while its window is open.',
  F197: 'An app without the way `browser` has not one byte of it, in pages, headers or routes.',
  F179: "The modules of the OpenID Foundation's HAIP plan for verifiers hold with a wallet of other people's libraries.",
  F152: 'An app that sets the lifetime of its cookie in each request forgets and starts at the first try, and start and return send a cookie of that lifetime.',
  F153: 'What a middleware puts into every new session stops no start, whatever other cookies the browser has; what is in a session that ends meanwhile is dropped.',
  F156: 'An earlier return of a session that has finished another verification since says that it is over, and warns nobody of a link.',
  F158: 'A start page carries on at most 1 kB of further query, which `context` reads.',
  F157: 'A `forget` that throws writes a line into the log, and an app that saves its change first forgets at the first try.',
  F159: "An app's key that begins like one of the kit's is the app's; a clock without a time, a time ahead and a return that runs again keep nothing longer.",
  F160: 'What is kept is one sealed text: nothing of it is to be read in a session, nobody without the secret makes or changes one, and one that does not open counts as nothing kept.',
  F165: 'Status lists that do not fit into memory inflated are inflated again, and not fetched again.',
  F166: 'A signed list that is read again parses no certificate that it had before.',
  F167: 'A return makes no text of its session but the one that is stored.',
};

/**
 * Numbers that are given to nothing any more: what stood between an app and a verifier has gone, since the app asks the
 * wallet itself. Each says what had to hold, and which tests hold it now.
 * @type {Readonly<Record<string, readonly [was: string, now: string]>>}
 */
export const retired = {
  F135: [
    'A request serves wallets that GET it and wallets that POST.',
    'F172, in `test/http/wallets/answers.test.ts`',
  ],
  F136: [
    'A page says what to do where a request is handed out once.',
    'F179, which hands it out twice, in `test/http/wallets/answers.test.ts`',
  ],
  F137: [
    'Who loads the page of a request first is never locked out of it.',
    'F175: the page belongs to the session that began the flow, in `test/http/wallets/attacks.test.ts`',
  ],
  F138: [
    'No sibling subdomain can plant the cookie of that page.',
    'F8 and F43: the page has no cookie of its own, only the session has one, in `test/faults/session-shared.test.ts`',
  ],
  F139: [
    'An open page passes over whatever proxies and faults say, and goes on afterwards.',
    '`test/e2e/wallets/waiting.test.ts`',
  ],
  F140: [
    'Processes are replaced without losing a request.',
    'F32 and F33, in `test/lab/deployment/wallets.test.ts`',
  ],
  F141: [
    'A 404 of somebody in between ends no request.',
    '`test/e2e/wallets/waiting.test.ts`: an open page passes over that too',
  ],
  F142: ['A poll draws no QR code.', '`test/http/wallets/page.test.ts`'],
  F143: [
    'The log says why a proof was refused, without anything personal.',
    'F67, in `test/faults/operator-log.test.ts`, and F174, in `test/http/wallets/attacks.test.ts`',
  ],
  F145: ['What is set up wrongly is told at the start.', 'F178, in `test/options/wallets.test.ts`'],
  F146: [
    'A proof counts only with the code of the browser that the wallet sends back.',
    'F168 and F176, in `test/http/wallets/attacks.test.ts`',
  ],
  F147: [
    'In the wrong browser of the same device the page says to start again.',
    'F175, in `test/http/wallets/attacks.test.ts`',
  ],
  F148: [
    'The page speaks English, German and French, with the name of the app, what is asked and a warning before the code.',
    '`test/http/wallets/page.test.ts`, `test/http/pages.test.ts`',
  ],
  F149: [
    'A secret and a certificate are changed without losing a request.',
    'F177, in `test/http/wallets/road.test.ts`',
  ],
  F150: ['A program says whether it runs.', 'nothing: the app is the only program'],
  F151: ['It was given to none.', 'nothing'],
};

/** The test files that have a test or a group whose title begins with a number, by number. */
export function filesByFault() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  for (const file of files.toSorted()) {
    const titles = titlesIn(file, readFileSync(join(tests, file), 'utf8'));
    const numbers = titles.flatMap(({ text }) => numbersOf(text)).filter((number) => number.startsWith('F'));
    for (const number of new Set(numbers)) found.set(number, [...(found.get(number) ?? []), file]);
  }
  return found;
}

const whyRetired = `These were faults of a program that stood between the app and a verifier. It has gone, because the app asks the
wallet itself. The numbers are not given again. Each line says what had to hold, and which tests hold it now.`;

function index() {
  const found = filesByFault();
  const numberOf = (/** @type {string} */ name) => Number(name.slice(1));
  const sorted = Object.entries(faults).toSorted(([one], [other]) => numberOf(one) - numberOf(other));
  const lines = sorted.map(([name, sentence]) => {
    const files =
      found
        .get(name)
        ?.map((file) => `\`test/${file}\``)
        .join(', ') ?? 'no test yet';
    return `- **${name}** ${sentence}\n  ${files}\n`;
  });
  const head = `# Faults and attacks, and the tests of each

The names of these tests begin with the number. Written by \`npm run docs\`.
`;
  const gone = Object.entries(retired).map(([name, [was, now]]) => `- **${name}** ${was} Now: ${now}.\n`);
  return `${head}\n${lines.join('')}\n## Retired\n\n${whyRetired}\n\n${gone.join('')}`;
}

/**
 * The numbers of the tests of a promise: three in a row or more as a range.
 * @param {readonly string[]} names
 */
function shown(names) {
  const runs = names.reduce((/** @type {string[][]} */ runs, name) => {
    const last = runs.at(-1)?.at(-1) ?? '';
    const follows = name === `${last[0]}${Number(last.slice(1)) + 1}`;
    return follows ? [...runs.slice(0, -1), [...(runs.at(-1) ?? []), name]] : [...runs, [name]];
  }, []);
  return runs.flatMap((run) => (run.length > 2 ? [`${run[0]}–${run.at(-1)}`] : run)).join(', ');
}

/**
 * A table in Markdown.
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}

/**
 * The text of a document with its promises between the two marks of their name.
 * @param {string} path
 * @param {Readonly<Record<string, string>>} parts
 */
function withParts(path, parts) {
  return Object.entries(parts).reduce(
    (text, [name, part]) => {
      const mark = `<!-- ${name} -->`;
      const [before, , after] = text.split(mark);
      if (after === undefined) throw new Error(`${path} has not ${mark} twice.`);
      return `${before}${mark}\n\n${part}\n${mark}${after}`;
    },
    readFileSync(join(root, path), 'utf8'),
  );
}

/** What is written, by path. @type {Readonly<Record<string, () => string>>} */
export const made = {
  'test/faults/INDEX.md': index,
  'SECURITY.md': () =>
    withParts('SECURITY.md', {
      attacks: table(
        ['Somebody', 'What stops them', 'Tests'],
        attacks.map(({ attacker, promise, tests: names }) => [attacker, promise, shown(names)]),
      ),
      session: table(
        ['What pidgate promises', 'Tests'],
        session.map(({ promise, tests: names }) => [promise, shown(names)]),
      ),
    }),
  'README.md': () =>
    withParts('README.md', {
      promises: inShort.map(({ promise }, position) => `${position + 1}. ${promise}\n`).join(''),
    }),
};
