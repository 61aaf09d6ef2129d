import { invalid } from './validate.js';

/** Returns the certificates in a PEM text, each by itself. */
export const splitPem = (text: string): readonly string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];

/** Reads certificates in PEM, at least one, each with `parse`. */
export function readPem<T>(
  pem: string,
  place: string,
  parse: (block: string) => T | undefined,
): readonly [T, ...T[]] {
  const blocks = splitPem(pem);
  if (blocks.length === 0 || blocks.length < pem.split('-----BEGIN').length - 1) {
    const why = pem.includes('-----BEGIN')
      ? 'must be certificates in PEM and nothing else'
      : "must be the text of certificates in PEM, neither DER nor a file's name: readFileSync('…', 'utf8')";
    throw invalid(place, why);
  }
  return blocks.map((block) => {
    const certificate = parse(block);
    if (certificate !== undefined) return certificate;
    throw invalid(place, 'has a certificate that cannot be read');
  }) as [T, ...T[]];
}
