/** What the person at the wallet page chose. */
export type Decision =
  | { readonly kind: 'approve' }
  | { readonly kind: 'decline' }
  | { readonly kind: 'error'; readonly code: WalletErrorCode };

/** The interface names no codes for error callbacks; these are the sandbox's own, with their descriptions. */
export const walletErrors = {
  wallet_timeout: 'The wallet did not answer in time.',
  identity_unavailable: 'The wallet holds no identity that fits the request.',
  verification_failed: 'The identity could not be verified.',
  error_internal: 'The service failed while verifying the identity.',
} as const;

export type WalletErrorCode = keyof typeof walletErrors;

/** The decision in a posted form, or undefined where it holds none. */
export function readDecision(form: unknown): Decision | undefined {
  const { decision, error } = (form ?? {}) as { decision?: unknown; error?: unknown };
  if (decision === 'approve' || decision === 'decline') return { kind: decision };
  if (decision !== 'error' || typeof error !== 'string' || !isWalletError(error)) return undefined;
  return { kind: 'error', code: error };
}

export function sameDecision(one: Decision, other: Decision): boolean {
  const code = (decision: Decision): string => (decision.kind === 'error' ? decision.code : decision.kind);
  return code(one) === code(other);
}

/** `error` and `error_description` of the callback. */
export function errorOf(decision: Exclude<Decision, { kind: 'approve' }>): readonly [string, string] {
  if (decision.kind === 'decline') return ['user_declined', 'The person declined to share their identity.'];
  return [decision.code, walletErrors[decision.code]];
}

function isWalletError(code: string): code is WalletErrorCode {
  return Object.hasOwn(walletErrors, code);
}
