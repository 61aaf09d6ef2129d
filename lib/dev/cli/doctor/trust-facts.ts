import type { Trust } from '../../../types/trust.js';
import { readCertificatesIn, subjectName } from '../../../verify/x5c/certificate.js';
import { type HttpAnswer, sendRequest } from './http.js';

/** A certificate that an entry relies on. */
export interface ReliedOn {
  readonly subject: string;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

/** The keys of one trust entry, as they are now. */
export interface Published {
  readonly issuer: string;
  /** Anchors, and the signers of a list of trusted entities. */
  readonly certificates: readonly ReliedOn[];
  /** What the address of the keys answered. */
  readonly keys?: HttpAnswer;
  /** What the address of the list answered. */
  readonly list?: HttpAnswer;
}

interface Keys {
  readonly jwksUri?: string;
  readonly x5c?: {
    readonly anchors?: readonly string[];
    readonly statusAnchors?: readonly string[];
    readonly trustedList?: { readonly url: string; readonly signers: readonly string[] };
  };
}

interface Entry {
  readonly keys?: Keys;
  readonly derivedBy?: Entry;
}

/** An entry may have any of the forms that the factory takes; a verifier of the app's own has no keys to look at. */
export async function publishedFor(trust: Trust): Promise<readonly Published[]> {
  const entries = Object.entries(trust).flatMap(([issuer, entry]) => {
    const { keys, derivedBy } = entry as Entry;
    return [keys, derivedBy?.keys].flatMap((source) =>
      source === undefined ? [] : [{ issuer, keys: source }],
    );
  });
  return await Promise.all(entries.map(async ({ issuer, keys }) => ({ issuer, ...(await look(keys)) })));
}

async function look({ jwksUri, x5c }: Keys): Promise<Omit<Published, 'issuer'>> {
  const { anchors = [], statusAnchors = [], trustedList } = x5c ?? {};
  const certificates = [...anchors, ...statusAnchors, ...(trustedList?.signers ?? [])].flatMap(reliedOnIn);
  const accept = (type: string) => ({ headers: { accept: type } });
  return {
    certificates,
    ...(jwksUri !== undefined && { keys: await sendRequest(new URL(jwksUri), accept('application/json')) }),
    ...(trustedList !== undefined && {
      list: await sendRequest(new URL(trustedList.url), accept('application/jwt, */*')),
    }),
  };
}

function reliedOnIn(pem: string): ReliedOn[] {
  return readCertificatesIn(pem, 'trust').map(({ x509, notBefore, notAfter }) => ({
    subject: subjectName(x509),
    validFrom: new Date(notBefore * 1000),
    validUntil: new Date(notAfter * 1000),
  }));
}
