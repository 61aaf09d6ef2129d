import type { Trust } from '../../../contracts/trust.js';
import { type TrustedCertificate, trustFromPem } from '../../../presentation/x5c/trust-from-pem.js';
import { type Answer, ask } from './ask.js';

/** The keys of one trust entry, as they are now. */
export interface Published {
  readonly issuer: string;
  readonly anchors: readonly TrustedCertificate[];
  /** What the address of the keys answered. */
  readonly keys?: Answer;
}

interface Entry {
  readonly keys?: {
    readonly jwksUri?: string;
    readonly x5c?: { readonly anchors: readonly string[] };
  };
  readonly derivedBy?: Entry;
}

export async function publishedFor(trust: Trust, now: Date): Promise<readonly Published[]> {
  const entries = Object.entries(trust).flatMap(([issuer, entry]) => {
    const { keys, derivedBy } = entry as Entry;
    return [keys, derivedBy?.keys].flatMap((it) => (it === undefined ? [] : [{ issuer, keys: it }]));
  });
  return await Promise.all(
    entries.map(async ({ issuer, keys: { jwksUri, x5c } }) => ({
      issuer,
      anchors: x5c === undefined ? [] : trustFromPem(x5c.anchors, () => now).certificates,
      ...(jwksUri !== undefined && {
        keys: await ask(new URL(jwksUri), { headers: { accept: 'application/json' } }),
      }),
    })),
  );
}
