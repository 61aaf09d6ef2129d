import type { Sandbox } from '../sandbox/index.js';

/** What an app needs to know to use the sandbox as its service. */
export function environmentFor({ url, options }: Sandbox, appUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    IDENTITY_BASE_URL: options.baseUrl,
    IDENTITY_API_KEY: options.apiKey,
    IDENTITY_ISSUER: options.issuer,
    IDENTITY_VARIANT: options.variant,
    IDENTITY_SANDBOX_URL: url,
    APP_URL: appUrl,
  };
}
