import { IdentityError } from '../../lib/errors.js';
import { resolveOptions } from '../../lib/options/resolve.js';
import type { Configuration } from '../../lib/options/resolve.js';

/** Options that are right, all of them given. */
export const good = {
  baseUrl: 'https://service.example',
  apiKey: 'marker-key',
  issuer: 'de-ausweis',
  trust: { 'de-ausweis': async () => ({ valid: false, reason: 'never' }) },
  appUrl: 'https://shop.example',
  reveal: ['given_name'],
};

/** The configuration of good options, changed. */
export function configured(change: Record<string, unknown> = {}): Configuration {
  return resolveOptions({ ...good, ...change });
}

/** What is said of wrong options; it is always `config_invalid`, without a cause and without a secret. */
export function refusal(change: unknown): string {
  const isChange = typeof change === 'object' && change !== null && !Array.isArray(change);
  const options = isChange ? { ...good, ...change } : change;
  try {
    resolveOptions(options);
  } catch (error) {
    if (!(error instanceof IdentityError) || error.code !== 'config_invalid' || 'cause' in error) throw error;
    if (error.message.includes('marker'))
      throw new Error(`A secret is told: ${error.message}`, { cause: error });
    return error.message;
  }
  throw new Error('The options were taken.');
}

const names = [
  'IDENTITY_BASE_URL',
  'IDENTITY_API_KEY',
  'IDENTITY_ISSUER',
  'IDENTITY_VARIANT',
  'IDENTITY_SECRET',
  'IDENTITY_SANDBOX_URL',
  'IDENTITY_SANDBOX_ANCHORS',
  'APP_URL',
  'NODE_ENV',
] as const;
type Variables = Partial<Record<(typeof names)[number], string>>;

/** Runs with exactly these variables of the kit's set. */
export function withEnvironment<T>(variables: Variables, work: () => T): T {
  const before = names.map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined): void => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const name of names) set(name, variables[name]);
  try {
    return work();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}
