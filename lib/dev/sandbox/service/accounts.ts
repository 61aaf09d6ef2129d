import { randomBytes } from 'node:crypto';
import { configInvalid } from '../../../errors.js';

/** A customer of the sandbox, as the service's portal would hold it. */
export interface SandboxAccount {
  readonly apiKey: string;
  /** Where the callbacks of this account go. */
  redirectUrl: string | undefined;
}

/** One account for each of the three states that the interface tells apart. */
export interface SandboxAccounts {
  readonly working: SandboxAccount;
  /** Not set up for the API: `error_account`. */
  readonly unset: SandboxAccount;
  /** Suspended: `error_account`. */
  readonly suspended: SandboxAccount;
}

export function createAccounts(apiKey: string | undefined, redirectUrl: string | undefined): SandboxAccounts {
  return {
    working: createAccount(checkKey(apiKey), redirectUrl),
    unset: createAccount(),
    suspended: createAccount(),
  };
}

function createAccount(apiKey = newKey(), redirectUrl?: string): SandboxAccount {
  let current = redirectUrl === undefined ? undefined : checkRedirectUrl(redirectUrl);
  return {
    apiKey,
    get redirectUrl() {
      return current;
    },
    set redirectUrl(url) {
      current = url === undefined ? undefined : checkRedirectUrl(url);
    },
  };
}

function newKey(): string {
  return `sandbox_${randomBytes(24).toString('base64url')}`;
}

function checkKey(apiKey: string | undefined): string | undefined {
  if (apiKey === undefined || /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw configInvalid('createSandbox: apiKey may contain only printable ASCII characters, no spaces.');
}

function checkRedirectUrl(redirectUrl: string): string {
  const url = URL.canParse(redirectUrl) ? new URL(redirectUrl) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    url.hash = '';
    return url.href;
  }
  throw configInvalid(
    'createSandbox: redirectUrl must be an absolute http or https URL, such as http://localhost:3000/identity/callback.',
  );
}
