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

/** A name of the platform or a driver, or an SQLSTATE. */
const form = /^(?:[A-Z][A-Z0-9_]{1,60}|[0-9A-Z]{5})$/;

/** Returns the code of a system error such as ECONNREFUSED; no other code, because an app's own may be personal. */
export function systemCodeOf(thrown: unknown): string | undefined {
  return codesOf(thrown).find((code) => known.has(code));
}

/** Returns the code of a fault of the platform or of a driver, such as ECONNREFUSED or 42P01. */
export const codeOf = (thrown: unknown): string | undefined => codesOf(thrown)[0];

interface Coded {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** The codes of what was thrown, of its cause, and of the first of several causes: Node puts a failed fetch's there. */
function codesOf(thrown: unknown): string[] {
  try {
    const { code, cause } = (thrown ?? {}) as Coded;
    const { code: inner, errors } = (cause ?? {}) as Coded;
    const { code: first } = (errors?.[0] ?? {}) as Coded;
    return [code, inner, first].filter(
      (value): value is string => typeof value === 'string' && form.test(value),
    );
  } catch {
    return []; // anything can be thrown, also an object whose getter throws
  }
}
