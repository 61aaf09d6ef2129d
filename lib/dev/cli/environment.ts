import { serviceVariables, walletsVariables } from '../../service/options.js';
import type { Sandbox, WalletSandbox } from '../sandbox/index.js';

/** What is loaded first in each process of the app: it registers the sandbox's trust there. */
const preload = new URL('./preload.mjs', import.meta.url);

const ofService: readonly string[] = Object.values(serviceVariables).map(([name]) => name);
const ofWallets: readonly string[] = Object.values(walletsVariables);

/** An app that asks the sandbox's service does not ask wallets itself, and one that asks its wallet asks no service. */
export function withoutOtherWay(
  env: Readonly<Record<string, string | undefined>>,
  asksWallets: boolean,
): Record<string, string | undefined> {
  const names = asksWallets ? ofService : ofWallets;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

/** What an app needs to know to use the sandbox: as its service, or as the wallet that it asks. */
export function environmentFor(
  { url, options }: Sandbox | WalletSandbox,
  appUrl: string,
  nodeOptions = '',
): Record<string, string> {
  const way: Record<string, string> =
    'wallets' in options
      ? {
          IDENTITY_ACCESS_CERTIFICATE: options.wallets.certificate,
          IDENTITY_ACCESS_KEY: options.wallets.key,
          IDENTITY_REGISTRATION: options.wallets.registration,
        }
      : {
          IDENTITY_BASE_URL: options.baseUrl,
          IDENTITY_API_KEY: options.apiKey,
          IDENTITY_VARIANT: options.variant,
        };
  return {
    NODE_ENV: 'development',
    ...way,
    IDENTITY_ISSUER: options.issuer,
    IDENTITY_SANDBOX_URL: url,
    NODE_OPTIONS: `${nodeOptions} --import=${preload.href}?${url}`.trim(),
    APP_URL: appUrl,
  };
}
