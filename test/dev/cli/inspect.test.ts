import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { run } from '../../../lib/dev/cli/run.js';
import type { InspectReport } from '../../../lib/dev/inspect/report.js';
import { checks } from '../../../lib/verify/checks.js';
import { certify, pemOf, x5cOf } from '../../support/verify/certificates.js';
import {
  audience,
  encode,
  erika,
  iss,
  mint,
  now,
  nowSeconds,
  signJws,
  issuerKeys,
} from '../../support/verify/issuer.js';
import { nonceOf, receiptFor } from '../../../lib/service/receipt.js';
import { mutants } from '../../support/verify/mutants.js';
import { issuerServer, packed, servingList as serving } from '../../support/verify/servers.js';
import { entry, present, state } from '../../support/verify/verdicts.js';
import { folder, ran, terminal } from './terminal.js';

const refusing = Object.entries(checks).flatMap(([check, entry]) =>
  typeof entry === 'string' ? [check] : [],
);
const published = issuerServer();
const root = certify({ subject: 'PID Root', isCa: true });
const leaf = certify({ subject: 'PID Issuer', issuer: root });
const good = present({ sd: erika });
const withChain = present({ sd: erika, issuer: leaf.keys, header: { x5c: x5cOf(leaf) } });
const byCertificate = { ...entry, iss, keys: { x5c: { anchors: [pemOf(root)] } } };
const trustFile = (trust: unknown = entry) => folder({ 'trust.json': JSON.stringify(trust) });
const at = ['--at', now.toISOString()];
const trusted = ['--trust', 'trust.json', '--state', state, ...at];

const codes = (text: string): string[] => text.split(' ');

/** What is printed, and the exit code. */
async function inspecting(token: string, args: readonly string[] = at, cwd = trustFile()) {
  const io = terminal({ cwd, stdin: Readable.from([Buffer.from(`${token}\n`)]) });
  const code = await run(['inspect', ...args], io);
  return { code, out: io.out(), err: io.err() };
}

async function report(token: string, args: readonly string[] = at, cwd = trustFile()) {
  const { code: exitCode, out, err } = await inspecting(token, [...args, '--json'], cwd);
  expect(err).toBe('');
  const json = JSON.parse(out) as InspectReport;
  const inState = (wanted: string) =>
    json.checks.filter((it) => it.state === wanted).map(({ check }) => check);
  return {
    exitCode,
    ...json,
    passed: inState('passed'),
    failed: inState('failed'),
    open: inState('not reached'),
  };
}

describe('pidgate inspect on a good presentation', () => {
  it('decodes it, and runs the checks as a list', async () => {
    const { code, out, err } = await inspecting(good, trusted);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^\nVerdict\n {2}valid\n\nPresentation\n {2}SD-JWT, \d+ characters\n {2}SHA-256 [\w-]{43}\n/,
    );
    const { presentationSha256 } = receiptFor(state, good);
    expect(out).toContain(`  SHA-256 ${presentationSha256}\n`);
    expect(out).toMatch(/\nHeader\n {2}alg {13}"ES256"\n {2}typ {13}"dc\+sd-jwt"\n/);
    expect(out).toContain(`iat             ${nowSeconds - 60} (`);
    expect(out).toMatch(/\nDisclosures\n {2}family_name {5}"\[hidden\]" [\w-]{43}\n/);
    expect(out).toContain(`\nKey binding\n  alg             "ES256"\n  typ             "kb+jwt"\n`);
    expect(out).toContain(`aud             "${audience}"`);
    expect(out).toMatch(
      /\nChecks\n {2}\d+ passed, \d+ not run: this entry and this presentation do not call for them\. --all lists them all\.\n\n {2}valid\n$/,
    );
    const all = (await inspecting(good, [...trusted, '--all'])).out;
    expect(all).toContain("\n  ok    B06  The key binding's signature was made with the confirmed key.\n");
    expect(all).toContain('\n  -     K06  Each certificate of one path, and its anchor, is valid now.\n');
    expect(out + all).not.toContain('FAIL');
  });

  it('marks what applies as passed, and nothing else', async () => {
    const { exitCode, verdict, passed, failed, open } = await report(good, trusted);
    expect({ exitCode, verdict, failed }).toEqual({ exitCode: 0, verdict: 'valid', failed: [] });
    expect(passed).toEqual(expect.arrayContaining(['P01', 'K02', 'S17', 'C02', 'B07']));
    expect(open).toEqual(expect.arrayContaining(codes('K01 K03 K14 C08 C09 C13 B12 B19 T02 T06 J02 L05')));
    expect([...passed, ...open].toSorted()).toEqual(refusing.toSorted());
  });

  it('lists the checks in the order in which they passed', async () => {
    const { passed, checks: lines } = await report(good, trusted);
    const inOrder = codes('P01 P03 P02 H01 H03 S02 S05 S17 C05 B03 B14 K15 K02 C02');
    expect(passed.filter((check) => inOrder.includes(check))).toEqual(inOrder);
    expect(lines.map(({ check }) => check).slice(0, passed.length)).toEqual(passed);
  });

  it('shows no value, unless it is asked to', async () => {
    const values = ['MUSTERMANN', 'Mustermann', 'Erika', '1964-08-12', 'nonce":"'];
    for (const args of [trusted, [...trusted, '--json']]) {
      const { out } = await inspecting(good, args);
      expect(values.filter((value) => out.includes(value))).toEqual([]);
      expect(out).not.toContain(state);
    }
    const shown = await report(good, [...trusted, '--show-values']);
    expect(shown.claims).toMatchObject({ family_name: erika.family_name, given_name: erika.given_name });
    expect(shown.disclosures).toContainEqual(
      expect.objectContaining({ name: 'given_name', value: erika.given_name }),
    );
  });

  it('shows certificates, and checks them', async () => {
    const cwd = trustFile({ 'de-ausweis': byCertificate });
    const { code, out } = await inspecting(withChain, trusted, cwd);
    expect(code).toBe(0);
    expect(out).toMatch(
      /x5c\[0\] {2}leaf "CN=PID Issuer.*"\n {10}issued by "CN=PID Root.*"\n {10}valid from 20\d\d.* until 20\d\d.*\n {10}purposes any\n {10}SHA-256 (?:(?:[0-9A-F]{2}:){8} ){3}/,
    );
    expect((await report(withChain, trusted, cwd)).passed).toEqual(
      expect.arrayContaining(['K01', 'K03', 'K06', 'K10', 'K18', 'K20', 'C09']),
    );
    const broken = present({ header: { x5c: ['AAAA'] } });
    expect((await inspecting(broken, trusted, cwd)).out).toContain('x5c[0]  cannot be read');
    expect((await report(broken, trusted, cwd)).failed).toEqual(['K01']);
  });

  it('reads a file too', async () => {
    const cwd = folder({ 'trust.json': JSON.stringify(entry), 'presentation.txt': good });
    const io = await ran(['inspect', 'presentation.txt', ...trusted], 0, { cwd });
    expect(io.out()).toContain('valid');
  });

  it('takes trust from a module, and from one of several entries', async () => {
    const several = { 'de-ausweis': byCertificate, other: entry };
    const cwd = folder({
      'trust.json': JSON.stringify(several),
      'trust.mjs': `export const trust = ${JSON.stringify(entry)}`,
      'default.mjs': `export default ${JSON.stringify({ only: entry })}`,
    });
    for (const trust of ['trust.json#other', 'trust.mjs', 'default.mjs']) {
      const { verdict } = await report(good, ['--trust', trust, '--state', state, ...at], cwd);
      expect(verdict).toBe('valid');
    }
  });
});

describe('pidgate inspect on a presentation that is refused', () => {
  it('names the first check of an altered one, and what was not reached', async () => {
    const [head = '', ...rest] = good.split('~');
    const altered = [head.slice(0, -4) + (head.endsWith('AAAA') ? 'BBBB' : 'AAAA'), ...rest].join('~');
    const { code, out } = await inspecting(altered, trusted);
    expect(code).toBe(1);
    expect(out).toContain(
      "\n  FAIL  B14 must hold: The key binding's `sd_hash` is that of the presentation. It did not.\n",
    );
    expect(out).toMatch(
      /^\nVerdict\n {2}refused \(B14, presentation_invalid\): The key binding JWT was made for another/,
    );
    const { passed, failed, open, check } = await report(altered, trusted);
    expect(check).toBe('B14');
    expect(failed).toEqual(['B14']);
    const whole = (await report(good, trusted)).passed;
    expect(passed).toEqual(whole.slice(0, whole.indexOf('B14')));
    expect(open).toEqual(expect.arrayContaining(['K02', 'B06', 'C02', 'T02']));
  });

  it('says that a status list revokes it', async () => {
    published.answer = serving({ list: { lst: packed(1, 0) } });
    const status = { status_list: { idx: 0, uri: published.uri } };
    const token = mintWith({ iss: published.origin, status });
    const cwd = trustFile({ ...entry, iss: published.origin });
    const { code, out } = await inspecting(token, trusted, cwd);
    expect(code).toBe(1);
    expect(out).toContain(`\nStatus\n  uri             "${published.uri}"\n  idx             "[hidden]"\n`);
    expect(out).toContain(
      '\n  FAIL  T15 must hold: The status is VALID; every other status is refused. It did not.\n',
    );
    expect(out).toContain(
      'refused (T15, credential_revoked): The credential was revoked: its status is INVALID.',
    );
    const { passed, open } = await report(token, trusted, cwd);
    expect(passed).toEqual(expect.arrayContaining(['K02', 'B06', 'C02', 'C09', 'T02', 'T06', 'T14']));
    expect(open).not.toContain('T14');
    published.answer = (res) => res.writeHead(503).end();
    const away = await report(token, trusted, cwd);
    expect(away).toMatchObject({ check: 'T05', code: 'credential_status_unavailable', verdict: 'refused' });
    expect(away.passed).toContain('T04');
    expect(away.open).toEqual(expect.arrayContaining(['T06', 'T15']));
    published.answer = serving({ header: { alg: 'none' }, payload: 'no JSON' });
    expect(await report(token, trusted, cwd)).toMatchObject({ check: 'T06' });
    published.answer = serving({ payload: 'no JSON' });
    const malformed = await report(token, trusted, cwd);
    expect(malformed).toMatchObject({ failed: ['P09'], code: 'credential_status_unavailable' });
    expect(malformed.passed).toContain('K02');
    expect(malformed.passed).toContain('T05');
    expect(malformed.open).toContain('T12');
    expect(
      (await report(token, trusted, trustFile({ ...entry, status: { mode: 'dangerouslyIgnore' } }))).verdict,
    ).toBe('valid');
  });

  const other = ['--trust', 'trust.json', '--state', 'another', ...at];
  it('compares the nonce only where the state is known', async () => {
    expect(await report(good, other)).toMatchObject({ exitCode: 1, failed: ['B07'] });
    const { verdict, passed, open } = await report(good, ['--trust', 'trust.json', ...at]);
    expect(verdict).toBe('valid');
    expect(passed).toContain('K02');
    expect(open).toContain('B07');
    expect(await report(mint({ binding: 'absent' }), ['--trust', 'trust.json', ...at])).toMatchObject({
      failed: ['B02'],
    });
  });

  it('checks as of a time', async () => {
    const later = new Date(now.getTime() + 3_600_000).toISOString();
    const args = ['--trust', 'trust.json', '--state', state];
    expect(await report(good, [...args, '--at', later])).toMatchObject({ failed: ['B11'] });
    expect((await report(good, args)).verdict).toBe('refused');
  });

  /** A refusal does not tell what was changed, nor why a set has no key of this name. */
  const shownAs: Readonly<Record<string, string>> = {
    B15: 'B14',
    B16: 'B14',
    "an attacker's key by kid": 'K12',
  };

  it.each(mutants({ nonce: nonceOf(state) }).map(({ check, what, token }) => [check, what, token] as const))(
    'names %s for %s',
    async (check, what, token) => {
      const { failed, verdict, open } = await report(token(), trusted);
      expect({ failed, verdict }).toEqual({
        failed: [shownAs[what] ?? shownAs[check] ?? check],
        verdict: 'refused',
      });
      expect(open).toContain('C02');
    },
  );
});

/** A presentation with more in its payload. */
function mintWith(payload: Readonly<Record<string, unknown>>): string {
  return present({ payload: { iat: nowSeconds, ...payload } });
}

describe('pidgate inspect without trust', () => {
  it('checks the form and proves nothing', async () => {
    const { code, out } = await inspecting(good);
    expect(code).toBe(0);
    expect(out).toMatch(/^\nVerdict\n {2}unknown: Nothing is proved: no trust entry was given\.\n/);
    const { passed, open } = await report(good);
    expect(passed).toEqual(expect.arrayContaining(['P01', 'H03', 'S15', 'C04', 'B14', 'B17']));
    expect(open).toEqual(expect.arrayContaining(['B07', 'B08', 'K02', 'B06', 'C02']));
  });

  it.each([
    ['hello', /^refused \(P\d\d, presentation_invalid\): This is no presentation: /],
    ['a.b.c', /^refused \(P\d\d, presentation_invalid\): This is no presentation: /],
    ['', /^refused \(P01, presentation_invalid\): This is no presentation: it is empty\.$/],
    [
      '{"vp_token":["a"]}',
      /^refused \(P12, presentation_invalid\): This is no presentation: it is a whole vp_token/,
    ],
  ])('what is no presentation is refused in its first line and its last: %s', async (token, sentence) => {
    const { code, out } = await inspecting(token);
    const [, title, first = ''] = out.split('\n');
    expect([code, title]).toEqual([1, 'Verdict']);
    expect(first.trim()).toMatch(sentence);
    expect(out.trimEnd().split('\n').at(-1)).toBe(first);
    expect(out).toMatch(
      /\n {2}\d+ passed, 1 failed, \d+ not run: it stopped at P\d\d\. --all lists them all\.\n/,
    );
  });

  it('shows a JWT, and judges nothing of it', async () => {
    const jwt = signJws({ alg: 'ES256', typ: 'result+jwt' }, { given_name: 'Erika', exp: 'x' }, issuerKeys);
    const { passed, verdict, claims } = await report(jwt);
    expect({ passed, verdict, claims }).toEqual({
      passed: [],
      verdict: 'unknown',
      claims: { given_name: '[hidden]', exp: 'x' },
    });
  });

  it.each(['', 'a', '~', 'a.b.c~', '{"vp_token":["a"]}', `${'a'.repeat(300_000)}~`, 'e30.W10.a~~W10~IjEi~'])(
    'survives %#',
    async (token) => {
      expect((await inspecting(token)).err).toBe('');
    },
  );
});

describe('F110 what is no presentation', () => {
  const header = encode({ alg: 'ES256', typ: 'dc+sd-jwt' });
  const nested = (depth: number) => encode(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  const notThree = 'it does not begin with three segments that have dots between them.';
  const rubbish: [what: string, check: string, why: string, text: string][] = [
    ['nothing', 'P01', 'it is empty.', ''],
    ['a word', 'P06', notThree, 'rubbish'],
    ['tildes', 'P06', notThree, '~~~'],
    ['brackets, 200,000 deep', 'P06', notThree, '['.repeat(200_000)],
    ['two segments', 'P06', notThree, `${header}.${header}`],
    ['segments of other text', 'P02', 'its header is not canonical base64url.', 'a.b.c~'],
    ['a header that is no JSON', 'P09', 'its header is not JSON.', `${encode('{')}.e30.AA~`],
    ['a payload that is a list', 'P09', 'its payload is not a JSON object.', `${header}.W10.AA`],
    ['a payload nested 33 deep', 'P08', 'its payload is nested too deep.', `${header}.${nested(32)}.AA~`],
    [
      'a payload nested 90,000 deep',
      'P08',
      'its payload is nested too deep.',
      `${header}.${nested(90_000)}.AA~`,
    ],
    ['a payload nested 200,000 deep', 'P01', 'it is too large.', `${header}.${nested(200_000)}.AA~`],
    [
      'a whole vp_token',
      'P12',
      'it is a whole vp_token: pass the one presentation inside it.',
      '{"pid":["a"]}',
    ],
    ['JSON', 'P07', 'it is in JSON serialization, not compact.', '{"payload":"a"}'],
  ];
  const reason = (why: string) => `This is no presentation: ${why}`;

  it.each(rubbish)('F110 %s is refused, in words', async (_, check, why, text) => {
    for (const args of [at, trusted]) {
      const { code, out, err } = await inspecting(text, args);
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(out).toMatch(/^\nVerdict\n/);
      expect(out).toContain(`\n  refused (${check}, presentation_invalid): ${reason(why)}\n`);
      expect(await report(text, args)).toMatchObject({ failed: [check], passed: [], reason: reason(why) });
    }
  });

  const disclosing = (depth: number) => {
    const text = encode(`["salt","a",${'['.repeat(depth)}${']'.repeat(depth)}]`);
    return `${signJws({ alg: 'ES256', typ: 'dc+sd-jwt' }, { iss }, issuerKeys)}~${text}~`;
  };
  const binding = (depth: number) => {
    const jws = `${encode({ alg: 'ES256', typ: 'kb+jwt' })}.${nested(depth)}.AA`;
    return mint({ binding: 'absent' }) + jws;
  };
  it.each([
    ['a Disclosure', 32, disclosing],
    ['a Disclosure', 40_000, disclosing],
    ['a key binding', 32, binding],
    ['a key binding', 40_000, binding],
  ] as const)('F110 %s nested %d deep is refused, and not shown', async (_, depth, token) => {
    const { exitCode, failed, disclosures, keyBinding } = await report(token(depth));
    expect({ exitCode, failed }).toEqual({ exitCode: 1, failed: ['P08'] });
    expect(JSON.stringify([disclosures, keyBinding?.claims])).not.toContain('[[[');
  });

  it.each([125_000, 130_000, 262_144, 262_145, 4_000_000])(
    'F132 %d tildes are refused, in words',
    async (length) => {
      const text = '~'.repeat(length);
      const [check, why] = length > 262_144 ? ['P01', 'it is too large.'] : ['P06', notThree];
      const { code, out, err } = await inspecting(text);
      expect({ code, err }).toEqual({ code: 1, err: '' });
      expect(out).toContain(`\n  refused (${check}, presentation_invalid): ${reason(why)}\n`);
      expect(out.length).toBeLessThan(100_000); // more Disclosures than any check allows are not shown
      expect(await report(text)).toMatchObject({ exitCode: 1, failed: [check] });
    },
  );

  it('F132 so is a good presentation with too many Disclosures', async () => {
    const token = present();
    const from = token.indexOf('~');
    const more = `${token.slice(0, from)}${'~AA'.repeat(80_000)}${token.slice(from)}`;
    const { failed, header, keyBinding } = await report(more);
    expect([failed, header, keyBinding]).toMatchObject([
      ['P08'],
      { alg: 'ES256' },
      { header: { typ: 'kb+jwt' } },
    ]);
  });

  it.each([
    ['from a pipe', ['inspect', '-', ...at]],
    ['in a file', ['inspect', 'long.txt', ...at]],
  ])('F132 what is longer than any presentation is not read, %s', async (_, args) => {
    const text = 'x'.repeat(5_000_000);
    const cwd = folder({ 'long.txt': text });
    const io = terminal({ cwd, stdin: Readable.from([Buffer.from(text)]) });
    expect(await run(args, io)).toBe(1);
    expect([io.out(), io.err()]).toEqual([
      '',
      'pidgate: No presentation is as long as this: inspect reads 4194304 characters.\n',
    ]);
  });

  it('F110 a verifier of its own is asked all the same: its format may be another', async () => {
    const code = 'export const trust = { own: async () => ({ valid: true, attributes: {}, derived: {} }) }';
    const args = ['--trust', 'own.mjs', '--state', state, ...at];
    expect(await report('rubbish', args, folder({ 'own.mjs': code }))).toMatchObject({ verdict: 'valid' });
  });
});

describe('a JWT of a service', () => {
  const jwtEntry = {
    format: 'jwt',
    keys: { jwks: { keys: [issuerKeys.jwk] } },
    iss,
    audience,
    typ: 'result+jwt',
    binding: { claim: 'nonce', value: 'state' },
    claims: { given_name: ['given_name'] },
  };
  const claims = {
    iss,
    aud: audience,
    iat: nowSeconds,
    exp: nowSeconds + 60,
    nonce: state,
    given_name: 'Erika',
  };
  const header = { alg: 'ES256', typ: 'result+jwt' };
  const cwd = () => trustFile(jwtEntry);

  it('is checked by its own list', async () => {
    const jwt = signJws(header, claims, issuerKeys);
    const { verdict, passed, open } = await report(jwt, trusted, cwd());
    expect(verdict).toBe('valid');
    expect(passed).toEqual(expect.arrayContaining(['P06', 'H01', 'J02', 'J05', 'J06', 'K02']));
    expect(open).toEqual(expect.arrayContaining(['H03', 'S17', 'B06', 'C13']));
    expect((await report(jwt, ['--trust', 'trust.json', ...at], cwd())).open).toContain('J06');
    const other = signJws(header, { ...claims, aud: 'another' }, issuerKeys);
    const refused = await report(other, trusted, cwd());
    expect(refused.failed).toEqual(['J03']);
    expect(refused.open).toContain('J04');
    const unbound = signJws(header, { ...claims, nonce: undefined }, issuerKeys);
    expect(await report(unbound, ['--trust', 'trust.json', ...at], cwd())).toMatchObject({ failed: ['J06'] });
  });
});

describe('keys that have to be fetched', () => {
  it('are reported as such', async () => {
    const away = 'http://127.0.0.1:1/jwks.json';
    const byUri = { ...entry, keys: { jwksUri: away } };
    const { failed, code, passed } = await report(good, trusted, trustFile(byUri));
    expect({ failed, code: code }).toEqual({ failed: ['K14'], code: 'keys_unavailable' });
    expect(passed).toContain('B14');
    const lote = { url: away, signers: [pemOf(leaf)], territories: ['DE'] };
    const byList = await report(
      withChain,
      trusted,
      trustFile({ ...byCertificate, keys: { x5c: { trustedList: lote } } }),
    );
    expect(byList).toMatchObject({ failed: ['L17'], code: 'keys_unavailable' });
    expect(byList.open).toContain('L05');
  });
});

describe('a stranger who writes to the terminal', () => {
  it('gets no control characters through', async () => {
    const evil = '\u001b[2J\u009b\u202e\u{e0041}evil';
    const token = present({
      payload: { iss: evil, [evil]: evil, vct: 'a'.repeat(1000) },
      header: { kid: evil, [evil]: 1 },
      binding: { payload: { aud: evil } },
    });
    const controls = ['\u001b', '\u009b', '\u202e', '\u{e0041}'];
    for (const args of [at, [...at, '--show-values'], [...at, '--show-values', '--json']]) {
      const { out } = await inspecting(token, args);
      expect(out).toContain('evil');
      expect(controls.filter((char) => out.includes(char))).toEqual([]);
    }
    expect((await inspecting(token, [...at, '--show-values'])).out).not.toContain('a'.repeat(300));
    expect((await report(token, [...at, '--show-values'])).claims).toMatchObject({ iss: evil });
  });
});

describe('pidgate inspect, called in a wrong way', () => {
  const cwd = () =>
    folder({
      'trust.json': JSON.stringify({ one: entry, two: entry }),
      'broken.json': '{',
      'null.json': 'null',
      'empty.mjs': '',
      'broken.mjs': 'throw new Error("away")',
      'bad.json': JSON.stringify({ ...entry, vct: [] }),
      'function.mjs':
        'export const trust = { own: async () => ({ valid: true, attributes: {}, derived: {} }) }',
      'undefined.mjs': 'export const trust = { own: undefined }',
    });

  it.each<[args: string[], code: number, sentence: string]>([
    [['a', 'b'], 2, 'Unexpected argument "b".'],
    [['--what'], 2, "Unknown option '--what'."],
    [['--state', 's'], 2, '--state needs --trust.'],
    [['--at', 'noon'], 2, '--at needs a time such as 2027-01-31T12:00:00Z.'],
    [['nowhere.txt'], 1, 'The file nowhere.txt cannot be read.'],
    [['--trust', 'nowhere.json'], 1, 'The file nowhere.json cannot be read.'],
    [['--trust', 'broken.json'], 1, 'The file broken.json is not JSON.'],
    [['--trust', 'null.json'], 1, 'null.json does not contain a trust entry.'],
    [['--trust', 'empty.mjs'], 1, 'empty.mjs does not contain a trust entry.'],
    [['--trust', 'broken.mjs'], 1, 'The module broken.mjs cannot be loaded: away'],
    [
      ['--trust', 'trust.json'],
      2,
      'Choose an issuer of trust.json: --trust trust.json#one, --trust trust.json#two.',
    ],
    [['--trust', 'trust.json#three'], 2, 'Choose an issuer of trust.json:'],
    [['--trust', 'bad.json'], 1, "trust['issuer'].vct must be a list that is not empty."],
    [['--trust', 'function.mjs'], 1, 'The trust entry of own is a function, which needs --state.'],
    [['--trust', 'undefined.mjs', '--state', 's'], 1, 'The trust entry of own is empty.'],
  ])('%j: a sentence', async (args, code, sentence) => {
    const found = await inspecting(good, args, cwd());
    expect(found.code).toBe(code);
    expect(found.err.split('\n').at(-2)).toMatch(`pidgate: ${sentence}`);
    expect(found.out).toBe('');
  });

  it('--help: its own', async () => {
    expect((await inspecting('', ['--help'])).out).toMatch(/^Usage: pidgate inspect /);
  });

  it('says that it reads from the terminal, where nothing is piped in', async () => {
    const io = terminal({ interactive: true, stdin: Readable.from([Buffer.from(good)]) });
    await run(['inspect', ...at], io);
    expect(io.err()).toBe(
      'pidgate: reading from the terminal. Paste the presentation, then Enter and Ctrl-D.\n',
    );
  });

  it('the verdict is first, passed checks are green, the failed one red, and the columns hold', async () => {
    const name = 'source_document_type';
    const token = present({ payload: { [name]: 'id', ['n'.repeat(60)]: 1 } });
    const other = ['--trust', 'trust.json', '--state', 'another', '--all', ...at];
    const io = terminal({ color: true, cwd: trustFile(), stdin: Readable.from([Buffer.from(token)]) });
    expect(await run(['inspect', ...other], io)).toBe(1);
    const [red, green] = [
      (text: string) => `\u001B[31m${text}\u001B[39m`,
      (text: string) => `\u001B[32m${text}\u001B[39m`,
    ];
    expect(io.out()).toMatch(/^\n\S+Verdict\S+\n/);
    expect(io.out()).toContain(`\n  ${red('refused')} (B07, presentation_invalid): `);
    expect(io.out()).toContain(`\n  ${red('FAIL')}  B07 must hold: `);
    expect(io.out()).toContain(`\n  ${green('ok  ')}  P01  `);
    expect(io.out()).toContain(`\n  ${name}  "[hidden]"\n`);
    expect(io.out()).toContain(`\n  ${'n'.repeat(60)}\n${' '.repeat(24)}"[hidden]"\n`);
  });

  it('a function of its own is asked, and no number counts', async () => {
    const { verdict, passed } = await report(good, ['--trust', 'function.mjs', '--state', state], cwd());
    expect(verdict).toBe('valid');
    expect(passed).toEqual([]);
  });
});
