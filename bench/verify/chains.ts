/**
 * Two builds of pidgate judge the same odd chains of certificates: `npm --prefix bench run chains -- <dist of the other>`.
 * Prints how often each check decides, and every chain of which the two say something different. `COUNT` is the number
 * of chains (8,000), `SEED` that of the run.
 */
import { spawn } from 'node:child_process';
import { sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, env, execPath, exit, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { nonceOf } from '../../lib/service/receipt.js';
import { audience, erika, iss, mint, newKeyPair, vct } from '../../test/support/verify/issuer.js';

const [, , other = ''] = argv;

// Chance, the same in every run of one seed (a linear congruence).
let random = Number(env['SEED'] ?? 20_260_812);
const chance = () => (random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
const below = (bound: number) => Math.floor(chance() * bound);
const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;

// DER as a tree. What an octet string of an extension holds is part of it.
interface Node {
  tag: number;
  parts: Node[] | undefined;
  content: Buffer;
  /** How the length is written. */
  length?: 'padded' | 'indefinite';
  /** Bytes behind the last part. */
  rest?: Buffer;
}

function parse(bytes: Buffer): Node[] {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    const short = bytes.readUInt8(at + 1);
    const size = short < 128 ? 0 : short & 127;
    const start = at + 2 + size;
    const end = start + (size === 0 ? short : bytes.readUIntBE(at + 2, size));
    if (end > bytes.length) throw new RangeError('cut off');
    nodes.push({ tag, parts: undefined, content: bytes.subarray(start, end) });
    at = end;
  }
  for (const node of nodes) {
    if (!(node.tag & 0x20) && node.tag !== 0x04) continue;
    try {
      node.parts = parse(node.content);
    } catch {
      // an octet string of other bytes
    }
  }
  return nodes;
}

function write({ tag, parts, content, length, rest = Buffer.alloc(0) }: Node): Buffer {
  const inner = Buffer.concat([parts === undefined ? content : Buffer.concat(parts.map(write)), rest]);
  if (length === 'indefinite') return Buffer.concat([Buffer.of(tag, 0x80), inner, Buffer.alloc(2)]);
  const hex = inner.length.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const long = length === 'padded' ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
  const isShort = inner.length < 128 && length === undefined;
  const size = isShort ? Buffer.of(inner.length) : Buffer.concat([Buffer.of(0x80 + long.length), long]);
  return Buffer.concat([Buffer.of(tag), size, inner]);
}

const leafNode = (tag: number, hex: string): Node => ({
  tag,
  parts: undefined,
  content: Buffer.from(hex, 'hex'),
});
const around = (tag: number, ...parts: Node[]): Node => ({ tag, parts, content: Buffer.alloc(0) });
const textNode = (tag: number, value: string) => leafNode(tag, Buffer.from(value).toString('hex'));
const copy = (node: Node): Node => ({ ...node, parts: node.parts?.map(copy) });
const allOf = (node: Node): Node[] => [node, ...(node.parts ?? []).flatMap(allOf)];

// Certificates: the parts of a certificate that is to be signed, from a plan or from one that somebody issued.
const keys = { root: newKeyPair(), ca: newKeyPair(), leaf: newKeyPair() };
type Role = keyof typeof keys;
const spki = (role: Role) =>
  parse(keys[role].publicKey.export({ type: 'spki', format: 'der' }) as Buffer)[0] as Node;
const nameOf = (name: string) =>
  around(
    0x30,
    around(0x31, around(0x30, leafNode(6, '550403'), textNode(0x0c, name))),
    around(0x31, around(0x30, leafNode(6, '55040a'), textNode(0x13, 'Example'))),
    around(0x31, around(0x30, leafNode(6, '550406'), textNode(0x13, 'DE'))),
  );
const names: Record<Role, string> = { root: 'Root', ca: 'CA', leaf: 'PID Issuer' };
const above: Record<Role, Role> = { root: 'root', ca: 'root', leaf: 'ca' };
const algorithm = around(0x30, leafNode(6, '2a8648ce3d040302'));
const extension = (id: string, value: Node, critical = false) =>
  around(0x30, leafNode(6, id), ...(critical ? [leafNode(1, 'ff')] : []), around(4, value));
const usual: Record<Role, Node[]> = {
  root: [
    extension('551d13', around(0x30, leafNode(1, 'ff')), true),
    extension('551d0f', leafNode(3, '0106'), true),
  ],
  ca: [
    extension('551d13', around(0x30, leafNode(1, 'ff'), leafNode(2, '00')), true),
    extension('551d0f', leafNode(3, '0106'), true),
  ],
  leaf: [
    extension('551d0f', leafNode(3, '0780'), true),
    extension('551d25', around(0x30, leafNode(6, '28818c5d050102'))),
    extension('551d11', around(0x30, textNode(0x82, 'issuer.example'), textNode(0x86, iss))),
    extension('551d20', around(0x30, around(0x30, leafNode(6, '2a0304')))),
  ],
};
const fields = (role: Role, extensions: readonly Node[], subject = nameOf(names[role])): Node =>
  around(
    0x30,
    around(0xa0, leafNode(2, '02')),
    leafNode(2, `0${1 + below(8)}`),
    copy(algorithm),
    nameOf(names[above[role]]),
    around(0x30, textNode(0x17, '250812120000Z'), textNode(0x17, '270812120000Z')),
    subject,
    spki(role),
    around(0xa3, around(0x30, ...extensions.map(copy))),
  );

/** Real certificates give their subject and their extensions, but for the ids of keys that are not ours. */
const vectors = resolve(import.meta.dirname, '../../test/vectors/eudi');
const real = ['eu-pid-issuer-cas.pem', 'eu-pid-leaves.pem', 'german-pid-list.2026-07-12.jwt'].flatMap(
  (file) => {
    const content = readFileSync(`${vectors}/${file}`, 'utf8');
    const payload = content.split('.')[1] ?? '';
    const listed = Buffer.from(payload, 'base64url')
      .toString()
      .matchAll(/"val":"([A-Za-z0-9+/=]{400,})"/g);
    const texts = file.endsWith('.pem')
      ? (content.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
      : [...listed].map(([, value = '']) => Buffer.from(value, 'base64'));
    return texts.map((one) => {
      const { raw, ca } = new X509Certificate(one);
      return { ca, parts: parse(raw)[0]?.parts?.[0]?.parts as Node[] };
    });
  },
);
const idOf = (one: Node) => one.parts?.[0]?.content.toString('hex') ?? '';
/** Key identifiers, and of a CA its path length. */
const isOwn = (one: Node, role: Role) =>
  ['551d0e', '551d23', ...(role === 'leaf' ? [] : ['551d13', '551d0f'])].includes(idOf(one));
function fromReal(role: Role): Node {
  const { parts } = pick(real.filter(({ ca }) => ca === (role !== 'leaf')));
  const extensions = parts.find(({ tag }) => tag === 0xa3)?.parts?.[0]?.parts ?? [];
  const subject = role === 'leaf' ? parts[(parts[0]?.tag === 0xa0 ? 1 : 0) + 4] : undefined;
  const own = role === 'leaf' ? [] : usual[role];
  return fields(role, [...own, ...extensions.filter((one) => !isOwn(one, role))], subject && copy(subject));
}

// What is done to a certificate.
const changes: ((tree: Node) => void)[] = [
  ...Array.from({ length: 6 }, () => (tree: Node) => {
    const node = pick(allOf(tree).filter(({ parts, content }) => parts === undefined && content.length > 0));
    const changed = Buffer.from(node.content);
    changed.writeUInt8(
      pick([0, 255, below(256), changed.readUInt8(0) ^ (1 << below(8))]),
      below(changed.length),
    );
    node.content = changed;
  }),
  ...Array.from({ length: 3 }, () =>
    withParts((parts) => parts.splice(below(parts.length + 1), 0, copy(pick(parts)))),
  ),
  withParts((parts) => parts.splice(below(parts.length), 1)),
  withParts((parts) => parts.push(...parts.splice(below(parts.length), 1))),
  withExtensions((all) => all.push(copy(pick(all)))),
  withExtensions((all) => all.splice(below(all.length), 1)),
  withExtensions((all) => all.push(...all.splice(below(all.length), 1))),
  withExtensions((all) =>
    all.push(extension(pick(['2a03', '551d1e', '551d24']), leafNode(5, ''), below(2) === 0)),
  ),
  withExtensions((all) => all.push(copy(pick(pick(Object.values(usual)))))),
  withExtensions((all) => {
    const [id, ...rest] = pick(all).parts ?? [];
    if (id === undefined) return;
    const critical = leafNode(1, pick(['ff', '00', '01', '', 'ffff', '0001']));
    const value = rest.at(-1);
    all[below(all.length)] = around(0x30, id, critical, ...(value ? [value] : []));
  }),
  (tree) => {
    pick(allOf(tree)).length = pick(['padded', 'indefinite']);
  },
  (tree) => {
    pick(allOf(tree)).rest = pick([Buffer.of(0), Buffer.of(5, 0), Buffer.alloc(2), Buffer.of(0x30)]);
  },
  (tree) => {
    const node = pick(allOf(tree));
    node.tag = pick([
      node.tag ^ 0x20,
      below(256),
      0x0c,
      0x13,
      0x14,
      0x16,
      0x1a,
      0x1c,
      0x1e,
      0x1f,
      0x80 + below(9),
    ]);
  },
  withTag(6, (id) =>
    pick([`80${id}`, id.slice(0, -2), `${id}80`, '', `${id}ffffffffffffffffff7f`, `${id}01`, '00', 'ff']),
  ),
  withTag(2, (value) => pick([`00${value}`, 'ff', '', '80', '7fffffff', 'ffffffffff', '00ffffffffffffffff'])),
  withTag(1, () => pick(['00', '01', 'ff', '', 'ff00', '00ff'])),
  withTag(3, () =>
    pick(['0780', '00', '0700', '0080', '0880', '0106', '0086', '070080', '03800000', 'ff80', '']),
  ),
  withTag(0x17, () =>
    Buffer.from(pick(['270812120000', '2708121200Z', '270832120000Z', '270812120000+0100', ''])).toString(
      'hex',
    ),
  ),
  withTag(0x0c, () => pick(['', 'ff', '00', '50494420497373756572', 'c3a4', 'eda080'])),
  withTag(0x82, () => pick(['', '00', Buffer.from('ISSUER.example').toString('hex'), 'ff'])),
  withExtensions((all) => {
    const odd = [
      leafNode(0x87, pick(['c0000201', 'c000', ''])),
      leafNode(0x88, pick(['2a03', '', '80', 'ff'])),
      leafNode(0x83, ''),
      around(0xa0, leafNode(6, '2a03'), around(0xa0, leafNode(5, ''))),
      around(0xa0, leafNode(6, '2a03')),
      around(0xa4, nameOf('x')),
      around(0xa4, leafNode(5, '')),
      around(0xa5, leafNode(0x81, '61')),
      textNode(0x81, 'a@b'),
      around(0xa2, textNode(0x16, 'issuer.example')),
    ];
    const at = all.findIndex((one) => idOf(one) === '551d11');
    const san = extension(
      '551d11',
      around(0x30, pick(odd), textNode(0x82, 'issuer.example'), ...(below(2) ? [pick(odd)] : [])),
    );
    all.splice(Math.max(at, 0), at === -1 ? 0 : 1, san);
  }),
];

function withParts(change: (parts: Node[]) => void) {
  return (tree: Node) => {
    change(
      pick(allOf(tree).flatMap(({ parts }) => (parts !== undefined && parts.length > 0 ? [parts] : []))),
    );
  };
}
function withExtensions(change: (all: Node[]) => void) {
  return (tree: Node) => {
    const all = tree.parts?.find(({ tag }) => tag === 0xa3)?.parts?.[0]?.parts;
    if (all !== undefined && all.length > 0) change(all);
  };
}
function withTag(tag: number, change: (hex: string) => string) {
  return (tree: Node) => {
    const nodes = allOf(tree).filter((node) => node.tag === tag && node.parts === undefined);
    if (nodes.length === 0) return;
    const node = pick(nodes);
    node.content = Buffer.from(change(node.content.toString('hex')), 'hex');
  };
}

const flipped = (bytes: Buffer): Buffer => {
  const changed = Buffer.from(bytes);
  for (let left = 1 + below(3); left > 0; left -= 1) changed.writeUInt8(below(256), below(changed.length));
  return changed;
};

/** True if every length and truth value is written as DER wants it, and each extension holds one value. */
function isDer(bytes: Buffer): boolean {
  try {
    const nodes = parse(bytes);
    const all = nodes.flatMap(allOf);
    const isOne = all.every(({ tag, parts }) => tag !== 0x04 || parts === undefined || parts.length === 1);
    const isSplit = all.every(({ tag, parts }) => !(tag & 0x20) || parts !== undefined);
    const areTrue = all.every(
      ({ tag, content }) => tag !== 0x01 || /^(00|ff)$/.test(content.toString('hex')),
    );
    return isOne && isSplit && areTrue && Buffer.concat(nodes.map(write)).equals(bytes);
  } catch {
    return false;
  }
}

/** True for what OpenSSL reads: most of the odd ones should come that far. */
function isRead(der: Buffer): boolean {
  try {
    const { raw, publicKey } = new X509Certificate(der);
    return raw.equals(der) && publicKey.type === 'public';
  } catch {
    return false;
  }
}

function certificate(role: Role, isOdd: boolean): Buffer {
  for (;;) {
    const der = signedCertificate(role, isOdd);
    if (below(8) === 0 || isRead(der)) return der;
  }
}

/** A certificate of this role as its CA signs it, odd or not. */
function signedCertificate(role: Role, isOdd: boolean): Buffer {
  const tree = (below(3) === 0 ? fromReal : (one: Role) => fields(one, usual[one]))(role);
  const how = isOdd ? below(10) : -1;
  if (how > 2) for (let left = 1 + below(3); left > 0; left -= 1) pick(changes)(tree);
  const content = how === 1 || how === 2 ? flipped(write(tree)) : write(tree);
  const signature = sign('sha256', content, keys[above[role]].privateKey);
  const parts = [
    content,
    write(algorithm),
    write({ ...leafNode(3, ''), content: Buffer.concat([Buffer.of(0), signature]) }),
  ];
  const der = write({ tag: 0x30, parts: undefined, content: Buffer.concat(parts) });
  return how === 0 ? flipped(der) : der;
}

const pemOf = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
const state = 'state-of-the-flow';
const expected = { issuer: 'de-ausweis', state, reveal: ['given_name'] };
const keyBinding = { nonce: 'state-sha256', audience };
const leafRules = { requireIssuerInSan: true, subject: { CN: 'PID Issuer' }, policies: ['1.2.3.4', '1.2.3'] };
const entriesWith = (anchor: Buffer) => {
  const entry = { format: 'sd-jwt-vc', vct: [vct], keyBinding, iss };
  const anchors = [pemOf(anchor)];
  return {
    usual: { ...entry, keys: { x5c: { anchors } } },
    'all rules': { ...entry, keys: { x5c: { anchors, leaf: leafRules } } },
    names: { ...entry, keys: { x5c: { anchors, leaf: { requireIssuerInSan: true } } } },
    HAIP: { ...entry, profile: 'haip-1.0', keys: { x5c: { anchors } } },
  };
};

interface Case {
  readonly token: string;
  readonly entry: object;
  readonly what: string;
}
const count = Number(env['COUNT'] ?? 8000);
const goodRoots = Array.from({ length: 8 }, () => certificate('root', false));
const cases = Array.from({ length: count }, (): Case => {
  const odd = pick(['leaf', 'leaf', 'leaf', 'ca', 'ca', 'root'] as const);
  const made = { leaf: certificate('leaf', odd === 'leaf'), ca: certificate('ca', odd === 'ca') };
  const anchor = odd === 'root' ? certificate('root', true) : pick(goodRoots);
  const x5c = Object.values(made).map((der) => der.toString('base64'));
  const binding = { payload: { nonce: nonceOf(state) } };
  const token = mint({ sd: erika, issuer: keys.leaf, header: { x5c }, binding });
  const [name, entry] = pick(Object.entries(entriesWith(anchor)));
  const hex = { ...made, root: anchor }[odd].toString('hex');
  return { token, entry, what: `${name}, odd is the ${odd}: ${hex}` };
});
const file = join(mkdtempSync(join(tmpdir(), 'pidgate-chains-')), 'cases.jsonl');
writeFileSync(file, cases.map(({ token, entry }) => JSON.stringify({ token, entry, expected })).join('\n'));

/** What one build says of every case. A case that ends the process is said to. */
async function judge(dist: string): Promise<readonly string[]> {
  const said: string[] = [];
  while (said.length < cases.length) {
    const judging = [join(import.meta.dirname, 'judge.js'), resolve(dist), file, String(said.length)];
    const child = spawn(execPath, judging, { stdio: ['ignore', 'pipe', 'ignore'] });
    said.push(...(await text(child.stdout)).split('\n').filter(Boolean));
    if (said.length < cases.length) said.push('aborts the process');
  }
  return said;
}

const dist = resolve(import.meta.dirname, '../../dist');
const [theirs, ours] = await Promise.all([judge(other), judge(dist)]);
const decided = new Map<string, number>();
const differing = new Map<string, string[]>();
for (const [index, { what }] of cases.entries()) {
  const [before = '', now = ''] = [theirs[index], ours[index]];
  const [check = ''] = env['REASONS'] ? [now] : now.split(' ', 1);
  decided.set(check, (decided.get(check) ?? 0) + 1);
  if (before === now) continue;
  const ways = `${isDer(Buffer.from(what.split(': ')[1] ?? '', 'hex')) ? 'DER' : 'not DER'}: ${before}\n  now ${now}`;
  differing.set(ways, [...(differing.get(ways) ?? []), what]);
}

const print = (line: string) => stdout.write(`${line}\n`);
const checks = [...decided].toSorted(([, a], [, b]) => b - a).map(([check, times]) => `${check} ${times}`);
print(`${count} chains: ${checks.join(', ')}`);
print(`${[...differing.values()].flat().length} differ, in ${differing.size} ways`);
for (const [ways, those] of differing) {
  const shown = those.slice(0, Number(env['SHOW'] ?? 1)).map((one) => `    ${one}`);
  print(`${those.length} x ${ways}\n${shown.join('\n')}`);
}
exit(differing.size === 0 ? 0 : 1);
