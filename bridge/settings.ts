import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { accounts } from './accounts.js';
import { httpBase, secureBase } from './urls.js';

export type Settings = ReturnType<typeof readSettings>;

/** What is missing or wrong, a line each. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** Reads the settings from the environment. Throws one error that names all that is missing or wrong. */
export function readSettings(env: NodeJS.ProcessEnv) {
  const ours = Object.entries(env).filter(([name, value]) => /^(PORT$|BRIDGE_)/.test(name) && value !== '');
  const read = schemaFor(env).safeParse(Object.fromEntries(ours));
  if (!read.success) throw new SettingsError(problemsOf(read.error));
  const { PORT, BRIDGE_SECRET: secrets, ...its } = read.data;
  return {
    port: PORT,
    host: its.BRIDGE_HOST,
    publicUrl: its.BRIDGE_PUBLIC_URL,
    hookUrl: its.BRIDGE_HOOK_URL,
    verifier: its.BRIDGE_VERIFIER,
    verifierUrl: its.BRIDGE_VERIFIER_URL,
    verifierOptions: its.BRIDGE_VERIFIER_OPTIONS,
    clientId: its.BRIDGE_VERIFIER_CLIENT_ID,
    clientSecret: its.BRIDGE_VERIFIER_CLIENT_SECRET,
    accounts: its.BRIDGE_ACCOUNTS,
    issuer: its.BRIDGE_ISSUER,
    vct: its.BRIDGE_VCT,
    store: its.BRIDGE_STORE,
    secrets: secrets as [string, ...string[]] | undefined,
  };
}

/** The variables. Which of them must be there depends on some of the others. */
function schemaFor({
  BRIDGE_VERIFIER: verifier,
  BRIDGE_STORE: store = '',
  NODE_ENV: mode,
}: NodeJS.ProcessEnv) {
  const needed = (needs: string) => z.string(`is not set: ${needs}`);
  const text = z.string().optional();
  const client = (needs: string) => (verifier === 'eudiplo' ? needed(needs) : text);
  const publicUrl = needed('where browsers and wallets find the bridge, such as https://id.shop.example');
  const seals = needed('it seals the jobs in Redis; make one by: openssl rand -base64 32');
  return z.strictObject({
    PORT: usually('4700').pipe(port),
    BRIDGE_HOST: text,
    BRIDGE_PUBLIC_URL: mode === 'production' ? publicUrl.pipe(secureBase) : secureBase.optional(),
    BRIDGE_HOOK_URL: httpBase.optional(),
    BRIDGE_VERIFIER: needed('eu or eudiplo').pipe(z.enum(['eu', 'eudiplo'], 'must be eu or eudiplo')),
    BRIDGE_VERIFIER_URL: needed('the private address of your verifier, such as http://localhost:8080').pipe(
      httpBase,
    ),
    BRIDGE_VERIFIER_OPTIONS: usually('{}').pipe(json).pipe(options),
    BRIDGE_VERIFIER_CLIENT_ID: client("the bridge's OAuth client in EUDIPLO"),
    BRIDGE_VERIFIER_CLIENT_SECRET: client('the secret of that client'),
    BRIDGE_ACCOUNTS: needed(
      'a JSON file: [{ "apiKey": "…", "redirectUrl": "https://shop.example/identity/callback" }]',
    )
      .pipe(file)
      .pipe(json)
      .pipe(accounts),
    BRIDGE_ISSUER: usually('de-ausweis'),
    BRIDGE_VCT: usually('urn:eudi:pid:de:1,urn:eudi:pid:1')
      .pipe(list)
      .pipe(z.array(z.string().min(1, aList))),
    BRIDGE_STORE: usually('memory').refine(
      isStore,
      'must be memory, or an address such as redis://localhost:6379',
    ),
    BRIDGE_SECRET: store.startsWith('redis') ? seals.pipe(secrets) : secrets.optional(),
  });
}

const usually = (value: string) => z.string().default(value);
const aList = 'must be names, separated by commas';
const isStore = (text: string): boolean =>
  text === 'memory' || (/^rediss?:\/\//.test(text) && URL.canParse(text));

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port, or 0 for a free one')
  .transform(Number)
  .refine((number) => number < 65_536, 'must be a port, or 0 for a free one');

const list = z.string().transform((text) => text.split(',').map((item) => item.trim()));
const secrets = list.pipe(
  z.array(
    z
      .string()
      .refine(
        (secret) => secret.length >= 32 && new Set(secret.replaceAll(/\s/g, '')).size > 1,
        'must be a random text of at least 32 characters; several are separated by commas, and the first one seals',
      ),
  ),
);

/** What Node says of text that is no JSON has a piece of it, which may be a key. */
const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('must be JSON');
    return z.NEVER;
  }
});

const file = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    context.addIssue(`cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
    return z.NEVER;
  }
});

/** What the bridge says itself in each request: another value would break every proof, or the way back. */
const ownMembers = ['nonce', 'dcql_query', 'wallet_response_redirect_uri_template'];
const options = z
  .record(z.string(), z.unknown(), 'must be a JSON object')
  .refine(
    (given) => !ownMembers.some((name) => Object.hasOwn(given, name)),
    `must not have ${ownMembers.join(', ')}: the bridge says these itself`,
  );

/** A line for each variable. No value is repeated: it may be a secret. */
function problemsOf({ issues }: z.ZodError): string[] {
  const lines = new Map<string, string>();
  for (const { path, message, ...issue } of issues) {
    const [variable, index, member] = path;
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const problem = unknown.length > 0 ? `has ${unknown.join(', ')}, which is not known here` : message;
    const where = [
      ...(typeof index === 'number' && variable === 'BRIDGE_ACCOUNTS' ? [`account ${index + 1}`] : []),
      ...(member === undefined ? [] : [String(member)]),
    ];
    if (variable === undefined)
      for (const name of unknown) lines.set(name, `${name} is not known here: is it misspelled?`);
    else if (!lines.has(String(variable)))
      lines.set(String(variable), lineOf(String(variable), [...where, problem].join(': ')));
  }
  return [...lines.values()];
}

const lineOf = (name: string, problem: string): string =>
  problem.startsWith('is not set') ? `${name} ${problem}` : `${name}: ${problem}`;
