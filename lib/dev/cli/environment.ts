import { walletsVariables } from '../../service/options.js';
import type { Sandbox } from '../sandbox/index.js';

/** What is loaded first in each process of the app: it registers the sandbox's trust there. */
const preload = new URL('./preload.mjs', import.meta.url);

/** An app that asks the sandbox's service does not ask wallets itself. */
export function withoutWallets(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const names: readonly string[] = Object.values(walletsVariables);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** What an app needs to know to use the sandbox as its service. */
export function environmentFor(
  { url, options }: Sandbox,
  appUrl: string,
  nodeOptions = '',
): Record<string, string> {
  return {
    NODE_ENV: 'development',
    IDENTITY_BASE_URL: options.baseUrl,
    IDENTITY_API_KEY: options.apiKey,
    IDENTITY_ISSUER: options.issuer,
    IDENTITY_VARIANT: options.variant,
    IDENTITY_SANDBOX_URL: url,
    NODE_OPTIONS: `${nodeOptions} --import=${preload.href}?${url}`.trim(),
    APP_URL: appUrl,
  };
}
