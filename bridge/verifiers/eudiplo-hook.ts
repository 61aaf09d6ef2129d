import { parse } from './call.js';

/**
 * What EUDIPLO posts once a wallet has answered: the session, and the proof of the credential that was asked for.
 * Newer versions post failures too; those are read in the session.
 */
export function readHook(body: string): { readonly session: string; readonly rawToken: string } | undefined {
  const { session, credentials } = parse(body) ?? {};
  const list = (Array.isArray(credentials) ? credentials : []) as readonly {
    readonly id?: unknown;
    readonly rawToken?: unknown;
  }[];
  const rawToken = list.find((credential) => credential?.id === 'pid')?.rawToken;
  return typeof session === 'string' && typeof rawToken === 'string' ? { session, rawToken } : undefined;
}
