import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { root } from '../root.js';

/** Reads a file of real trust material (test/vectors/eudi, with its sources). */
export function material(name: string): string {
  return readFileSync(`${root}/test/vectors/eudi/${name}`, 'utf8');
}

/** The certificates of a file, each as PEM too. */
export function certificatesIn(name: string): { readonly x509: X509Certificate; readonly pem: string }[] {
  const blocks = material(name).match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((pem) => ({ x509: new X509Certificate(pem), pem }));
}

/** A subject in one line, as the kit writes it. */
export const nameOf = ({ subject }: X509Certificate): string => subject.split('\n').join(', ');
