import { getSystemErrorMap } from 'node:util';

const known: ReadonlySet<string> = new Set([
  ...[...getSystemErrorMap().values()].map(([name]) => name),
  'EAI_AGAIN',
  'EAI_FAIL',
  'ENOTFOUND',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_SOCKET',
]);

/** Returns the code of a system error such as ECONNREFUSED, of what was thrown or of its cause; no other code. */
export function systemCodeOf(thrown: unknown): string | undefined {
  try {
    const { code, cause } = (thrown ?? {}) as { code?: unknown; cause?: unknown };
    if (typeof code === 'string' && known.has(code)) return code;
    const { code: inner } = (cause ?? {}) as { code?: unknown };
    return typeof inner === 'string' && known.has(inner) ? inner : undefined;
  } catch {
    return undefined; // anything can be thrown, also an object whose getter throws
  }
}
