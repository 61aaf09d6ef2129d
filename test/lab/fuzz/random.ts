import { createHash } from 'node:crypto';

/** Chance that is the same every time: all of it comes from one number. */
export interface Random {
  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  oneIn(count: number): boolean;
  bytes(length: number): Buffer;
  /** Text of any characters. */
  text(longest: number): string;
  /** 43 characters, as a state or a code has them. */
  secret(): string;
}

const alphabets = [
  'abcdefghijklmnopqrstuvwxyz_',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~',
  ' !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  '\u0000\u0001\t\r\n\u007f\u0085\u00a0\u200b\u202e\u2028\ufeff\ufffd',
  'äöüßéñ漢字🪪🇩🇪\ud800\udfff',
];

/** Of the request with this number, whatever came before it. */
export function randomOf(seed: number, index: number): Random {
  let block: Buffer = Buffer.alloc(0);
  let at = 0;
  let blocks = 0;
  const fresh = (length: number): Buffer =>
    createHash('shake256', { outputLength: length }).update(`${seed} ${index} ${blocks++}`).digest();
  const below = (limit: number): number => {
    if (at === block.length) [block, at] = [fresh(256), 0];
    at += 4;
    return block.readUInt32LE(at - 4) % limit;
  };
  return {
    below,
    bytes: (length) => fresh(length + 1).subarray(1),
    pick: (from) => {
      const chosen = below(from.length);
      const [picked] = from.slice(chosen, chosen + 1);
      if (picked === undefined) throw new Error('Nothing to pick from');
      return picked;
    },
    oneIn: (count) => below(count) === 0,
    text(longest) {
      const alphabet = alphabets[below(alphabets.length)] ?? '';
      const letters = Array.from({ length: below(longest + 1) }, () =>
        alphabet.charAt(below(alphabet.length)),
      );
      return Buffer.from(letters.join('')).toString(); // a lone surrogate has no bytes
    },
    secret: () => fresh(32).toString('base64url'),
  };
}
