import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readAccounts } from './accounts.js';
import { readJson } from './json.js';
import { httpUrl, secureUrl, withoutSlash } from './urls.js';

export type Settings = ReturnType<typeof readSettings>;

/** What is missing or wrong with the settings, a line each. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** What a variable is without a value: its usual one, or a problem that says what is needed. */
type Without = { readonly usual: string } | { readonly needs: string };

/** Reads the settings from the environment. Throws one error that names all that is missing or wrong. */
export function readSettings(env: NodeJS.ProcessEnv, folder: string) {
  const problems: string[] = [];

  function read<T>(name: string, parse: (text: string) => T, without: Without): T;
  function read<T>(name: string, parse: (text: string) => T, without?: Without): T | undefined;
  function read<T>(name: string, parse: (text: string) => T, without?: Without): T | undefined {
    const text = env[name] || (without && 'usual' in without ? without.usual : undefined);
    try {
      if (text !== undefined) return parse(text);
      if (without && 'needs' in without) problems.push(`${name} is not set: ${without.needs}`);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
    return undefined;
  }

  const accountsFile = (file: string) => readAccounts(readFileSync(resolve(folder, file), 'utf8'));
  const verifier = read('BRIDGE_VERIFIER', verifierName, { needs: 'eu or eudiplo' });
  const client = (needs: string) => (verifier === 'eudiplo' ? { needs } : undefined);
  const store = read('BRIDGE_STORE', storeAddress, { usual: 'memory' });
  const seals = { needs: 'it seals the jobs in Redis; make one by: openssl rand -base64 32' };
  const settings = {
    port: read('PORT', portNumber, { usual: '4700' }),
    publicUrl: read('BRIDGE_PUBLIC_URL', (text) => withoutSlash(secureUrl(text))),
    hookUrl: read('BRIDGE_HOOK_URL', (text) => withoutSlash(httpUrl(text))),
    verifier,
    verifierUrl: read('BRIDGE_VERIFIER_URL', (text) => withoutSlash(httpUrl(text)), {
      needs: 'the private address of your verifier, such as http://localhost:8080',
    }),
    verifierOptions: read('BRIDGE_VERIFIER_OPTIONS', jsonObject, { usual: '{}' }),
    clientId: read('BRIDGE_VERIFIER_CLIENT_ID', String, client("the bridge's OAuth client in EUDIPLO")),
    clientSecret: read('BRIDGE_VERIFIER_CLIENT_SECRET', String, client('the secret of that client')),
    accounts: read('BRIDGE_ACCOUNTS', accountsFile, {
      needs: 'a JSON file: [{ "apiKey": "…", "redirectUrl": "https://shop.example/identity/callback" }]',
    }),
    issuer: read('BRIDGE_ISSUER', String, { usual: 'de-ausweis' }),
    vct: read('BRIDGE_VCT', listOfNames, { usual: 'urn:eudi:pid:de:1,urn:eudi:pid:1' }),
    store,
    secrets: read('BRIDGE_SECRET', listOfSecrets, store?.startsWith('redis') ? seals : undefined),
  };
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

const demand = <T>(value: T, isGood: boolean, what: string): T => {
  if (isGood) return value;
  throw new Error(`must be ${what}`);
};
const verifierName = (text: string) =>
  demand(text as 'eu' | 'eudiplo', /^(eu|eudiplo)$/.test(text), 'eu or eudiplo');
const storeAddress = (text: string) =>
  demand(text, /^(memory$|rediss?:\/\/)/.test(text), 'memory, or an address such as redis://localhost:6379');
const portNumber = (text: string) =>
  demand(Number(text), /^\d{1,5}$/.test(text), 'a port, or 0 for a free one');
const listOfSecrets = (text: string) => {
  const secrets = text.split(',') as [string, ...string[]];
  return demand(
    secrets,
    secrets.every(({ length }) => length >= 32),
    'at least 32 characters long; several are separated by commas, and the first one seals',
  );
};
const listOfNames = (text: string) => text.split(',').map((name) => name.trim());

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const json = readJson(text);
  return demand(
    json as Readonly<Record<string, unknown>>,
    Object(json) === json && !Array.isArray(json),
    'a JSON object',
  );
}
