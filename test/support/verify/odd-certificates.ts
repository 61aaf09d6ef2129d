import { sign, X509Certificate } from 'node:crypto';
import { allOf, around, copy, type DerNode, leafNode, parse, textNode, write } from './der-tree.js';
import { material } from './eudi.js';
import { iss, newKeyPair } from './issuer.js';

/** Chance that is the same every time: all of it comes from one number (a linear congruence). */
export interface Chance {
  /** A whole number from 0 up to, and without, `bound`. */
  readonly below: (bound: number) => number;
  readonly pick: <T>(values: readonly T[]) => T;
}

export function chanceOf(seed: number): Chance {
  let random = seed;
  const below = (bound: number) => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((random / 2 ** 32) * bound);
  };
  return { below, pick: (values) => values[below(values.length)] as never };
}

export const keys = { root: newKeyPair(), ca: newKeyPair(), leaf: newKeyPair() };
export type Role = keyof typeof keys;
const spki = (role: Role) =>
  parse(keys[role].publicKey.export({ type: 'spki', format: 'der' }) as Buffer)[0] as DerNode;
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
const extension = (id: string, value: DerNode, critical = false) =>
  around(0x30, leafNode(6, id), ...(critical ? [leafNode(1, 'ff')] : []), around(4, value));
const usual: Record<Role, DerNode[]> = {
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

/** Real certificates give their subject and their extensions, but for the ids of keys that are not ours. */
const real = ['eu-pid-issuer-cas.pem', 'eu-pid-leaves.pem', 'german-pid-list.2026-07-12.jwt'].flatMap(
  (file) => {
    const content = material(file);
    const payload = content.split('.')[1] ?? '';
    const listed = Buffer.from(payload, 'base64url')
      .toString()
      .matchAll(/"val":"([A-Za-z0-9+/=]{400,})"/g);
    const texts = file.endsWith('.pem')
      ? (content.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [])
      : [...listed].map(([, value = '']) => Buffer.from(value, 'base64'));
    return texts.map((one) => {
      const { raw, ca } = new X509Certificate(one);
      return { ca, parts: parse(raw)[0]?.parts?.[0]?.parts as DerNode[] };
    });
  },
);

const idOf = (one: DerNode) => one.parts?.[0]?.content.toString('hex') ?? '';
/** Key identifiers, and of a CA its path length. */
const isOwn = (one: DerNode, role: Role) =>
  ['551d0e', '551d23', ...(role === 'leaf' ? [] : ['551d13', '551d0f'])].includes(idOf(one));

/** True for what OpenSSL reads: most of the odd ones should come that far. */
function isRead(der: Buffer): boolean {
  try {
    const { raw, publicKey } = new X509Certificate(der);
    return raw.equals(der) && publicKey.type === 'public';
  } catch {
    return false;
  }
}

/** Certificates of this chance: good ones, and ones that their CA signed although something is odd about them. */
export function oddCertificates({ below, pick }: Chance) {
  const fields = (role: Role, extensions: readonly DerNode[], subject = nameOf(names[role])): DerNode =>
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

  function fromReal(role: Role): DerNode {
    const { parts } = pick(real.filter(({ ca }) => ca === (role !== 'leaf')));
    const extensions = parts.find(({ tag }) => tag === 0xa3)?.parts?.[0]?.parts ?? [];
    const subject = role === 'leaf' ? parts[(parts[0]?.tag === 0xa0 ? 1 : 0) + 4] : undefined;
    const own = role === 'leaf' ? [] : usual[role];
    return fields(role, [...own, ...extensions.filter((one) => !isOwn(one, role))], subject && copy(subject));
  }

  // What is done to a certificate.
  const changes: ((tree: DerNode) => void)[] = [
    ...Array.from({ length: 6 }, () => (tree: DerNode) => {
      const node = pick(
        allOf(tree).filter(({ parts, content }) => parts === undefined && content.length > 0),
      );
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
      all.push(
        extension(pick(['2a03', '551d1e', '551d21', '551d24', '551d36']), leafNode(5, ''), below(2) === 0),
      ),
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
    withTag(2, (value) =>
      pick([`00${value}`, 'ff', '', '80', '7fffffff', 'ffffffffff', '00ffffffffffffffff']),
    ),
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

  function withParts(change: (parts: DerNode[]) => void) {
    return (tree: DerNode) => {
      change(
        pick(allOf(tree).flatMap(({ parts }) => (parts !== undefined && parts.length > 0 ? [parts] : []))),
      );
    };
  }
  function withExtensions(change: (all: DerNode[]) => void) {
    return (tree: DerNode) => {
      const all = tree.parts?.find(({ tag }) => tag === 0xa3)?.parts?.[0]?.parts;
      if (all !== undefined && all.length > 0) change(all);
    };
  }
  function withTag(tag: number, change: (hex: string) => string) {
    return (tree: DerNode) => {
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

  return certificate;
}
