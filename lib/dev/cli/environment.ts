import type { Sandbox } from '../sandbox/index.js';

/**
 * What an app needs to know to use the sandbox as its service. Where the wallets are not ours, neither are the
 * credentials: then the app's own trust entry counts.
 */
export function environmentFor(
  { url, options, accessAnchors }: Sandbox,
  appUrl: string,
): Record<string, string> {
  const { keys } = options.trust['de-ausweis'];
  const { anchors = [], statusAnchors = [] } = 'x5c' in keys ? keys.x5c : {};
  return {
    NODE_ENV: 'development',
    IDENTITY_BASE_URL: options.baseUrl,
    IDENTITY_API_KEY: options.apiKey,
    IDENTITY_ISSUER: options.issuer,
    IDENTITY_VARIANT: options.variant,
    IDENTITY_SANDBOX_URL: url,
    ...(options.issuer === 'de-ausweis' &&
      accessAnchors.length > 0 && { IDENTITY_SANDBOX_ANCHORS: [...anchors, ...statusAnchors].join('') }),
    APP_URL: appUrl,
  };
}
