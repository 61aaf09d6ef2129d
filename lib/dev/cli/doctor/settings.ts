import type { Configuration } from '../../../options/resolve.js';
import { walletsVariables } from '../../../service/options.js';
import type { Trust } from '../../../types/trust.js';
import type { Terminal } from '../terminal.js';
import { CliError } from '../cli-error.js';
import type { DoctorCommand } from './doctor-arguments.js';

/** What is known of the app before it is asked anything. */
export interface Settings {
  /** Where the questions go. */
  readonly address: URL;
  /** Where people and the service reach the app. */
  readonly appUrl: URL;
  readonly paths: {
    readonly start: string;
    readonly callback: string;
    readonly status: string;
    readonly request: string;
  };
  readonly mount: string;
  /** A guarded page. */
  readonly page: string | undefined;
  readonly mode: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: Configuration['apiKey'] | undefined;
  readonly issuer: string | undefined;
  /** Whether the app asks wallets itself, as far as it is known. */
  readonly asksWallets: boolean;
  /** With the entry loaded: who asks. */
  readonly access: Configuration['access'];
  /** IDENTITY_SECRET is the value of SESSION_SECRET too. */
  readonly oneSecretForBoth: boolean;
  /** Only with the entry loaded. */
  readonly trust: Trust;
  /** Names of variables that are there, for a finding about those that are not. */
  readonly variables: readonly string[];
}

/** The variables of the environment that an app needs, where its code does not set the options. */
export const variables = ['IDENTITY_BASE_URL', 'IDENTITY_API_KEY', 'IDENTITY_ISSUER', 'APP_URL'] as const;

const walletsNames = Object.values(walletsVariables);

/** Reads command line and environment; with a configuration, what the app's code has made of them. */
export function settingsOf(command: DoctorCommand, env: Terminal['env'], config?: Configuration): Settings {
  const ownAddress = command.entry === undefined ? undefined : `http://localhost:${env['PORT'] || '3000'}`;
  const address = command.url ?? config?.origins[0] ?? (env['APP_URL'] || ownAddress);
  if (address === undefined || !URL.canParse(address)) {
    throw new CliError('doctor needs the address of your app: --url https://shop.example, or APP_URL.', 2);
  }
  const appUrl = new URL(address);
  appUrl.username = appUrl.password = '';
  const mount = command.path ?? config?.path ?? '/identity';
  const route = (name: 'start' | 'callback' | 'status' | 'request'): string =>
    `${mount}${config?.routes[name] || `/${name}`}`;
  const [named = 'default'] = config?.questions.has('default') === false ? config.questions.keys() : [];
  return {
    address: new URL(command.url ?? ownAddress ?? address),
    appUrl,
    mount,
    page: command.page,
    paths: {
      start: named === 'default' ? route('start') : `${route('start')}/${named}`,
      callback: route('callback'),
      status: route('status'),
      request: route('request'),
    },
    mode: env['NODE_ENV'],
    baseUrl: config?.baseUrl ?? (env['IDENTITY_BASE_URL'] || undefined),
    apiKey: config?.apiKey ?? (env['IDENTITY_API_KEY'] || undefined),
    issuer: config?.issuer ?? (env['IDENTITY_ISSUER'] || undefined),
    asksWallets: config === undefined ? walletsNames.some((name) => env[name]) : config.access !== undefined,
    access: config?.access,
    oneSecretForBoth: Boolean(env['IDENTITY_SECRET']) && env['IDENTITY_SECRET'] === env['SESSION_SECRET'],
    trust: config?.trust ?? {},
    variables: config === undefined ? variables.filter((name) => env[name]) : variables,
  };
}
