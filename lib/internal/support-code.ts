import { hash } from 'node:crypto';

/** Crockford's base 32: it has no I, L, O and U, which are misheard or misread. */
const signs = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What people read aloud and write down for a flow, in place of its public id: 40 bits of a hash of it, as `7F3K-9Q2M`. */
export function supportCodeOf(flow: string): string {
  let bits = hash('sha256', `pidgate support ${flow}`, 'buffer').readUIntBE(0, 5);
  let code = '';
  while (code.length < 9) {
    code = (code.length === 4 ? '-' : '') + code;
    code = signs.charAt(bits % 32) + code;
    bits = Math.floor(bits / 32);
  }
  return code;
}

/**
 * The support code that somebody typed: in small letters, with an O for a 0 or an I for a 1. A word without a figure or a
 * hyphen, such as `declined`, is none.
 */
export function readSupportCode(text: string): string | undefined {
  if (!/[\d-]/.test(text)) return undefined;
  const typed = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(typed) ? `${typed.slice(0, 4)}-${typed.slice(4)}` : undefined;
}
