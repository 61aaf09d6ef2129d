/** The environment variables of the kit. No other file reads the environment. An empty variable counts as absent. */
export interface Environment {
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly issuer: string | undefined;
  readonly variant: string | undefined;
  readonly sandboxUrl: string | undefined;
  /** PEM of the sandbox's PID CA, where it stands in for the German issuer. */
  readonly sandboxAnchors: string | undefined;
  readonly appUrl: string | undefined;
  readonly mode: string | undefined;
}

export function readEnvironment(): Environment {
  const read = (name: string): string | undefined => process.env[name] || undefined;
  return {
    baseUrl: read('IDENTITY_BASE_URL'),
    apiKey: read('IDENTITY_API_KEY'),
    issuer: read('IDENTITY_ISSUER'),
    variant: read('IDENTITY_VARIANT'),
    sandboxUrl: read('IDENTITY_SANDBOX_URL'),
    sandboxAnchors: read('IDENTITY_SANDBOX_ANCHORS'),
    appUrl: read('APP_URL'),
    mode: read('NODE_ENV'),
  };
}
