import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type Variant, variants } from '../../types/attributes.js';
import type { SandboxIssuerId } from '../sandbox/index.js';
import { isScenario, scenarioIds } from '../sandbox/scenarios/catalogue.js';
import { type DoctorCommand, doctorOptions, readDoctor } from './doctor/doctor-arguments.js';
import { CliError } from './cli-error.js';
import { commands, didYouMean, isCommand } from './usage.js';

/** What dev and sandbox have in common. */
interface Shared {
  readonly callback?: string;
  readonly variant?: Variant;
  readonly issuer?: SandboxIssuerId;
  readonly person?: string;
}

/** What the command line asks for. */
export type Command =
  | { readonly name: 'version' }
  | { readonly name: 'help'; readonly of?: string | undefined }
  | ({ readonly name: 'doctor' } & DoctorCommand)
  | ({
      readonly name: 'dev';
      readonly entry?: string;
      readonly watch?: boolean;
      readonly wallets?: boolean;
    } & Shared)
  | ({ readonly name: 'sandbox'; readonly port: number } & Shared)
  | ({ readonly name: 'simulate' } & SimulateCommand)
  | ({ readonly name: 'inspect' } & InspectCommand)
  | { readonly name: 'explain'; readonly code: string };

export interface SimulateCommand {
  /** Named twice, where it is not on this machine. */
  readonly urls: readonly string[];
  /** None: all of them. */
  readonly scenarios: readonly string[];
  /** It is a failure if the page opens for a 17-year-old. */
  readonly expectMinor?: 'refused';
  readonly json: boolean;
}

export interface InspectCommand {
  /** `-` is standard input. */
  readonly file: string;
  readonly trust?: string | undefined;
  readonly state?: string | undefined;
  readonly at: Date;
  readonly showValues: boolean;
  /** The checks that passed or were not made, too. */
  readonly all: boolean;
  readonly json: boolean;
}

const devTakesFile =
  ' pidgate dev takes the file that starts your app, and no command: npx pidgate dev server.ts --watch. For a command of your own, run npx pidgate sandbox, and give the command the variables that it prints.';

// The same at every run, so that an .env file made from the printed lines stays true.
const usualPort = '4747';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const always = { help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } } as const;
const shared = {
  callback: text,
  variant: text,
  issuer: text,
  person: text,
} as const;

const options = {
  dev: { ...always, ...shared, watch: flag, wallets: flag },
  sandbox: { ...always, ...shared, port: text },
  simulate: { ...always, url: { ...text, multiple: true }, all: flag, 'expect-minor': text, json: flag },
  inspect: { ...always, trust: text, state: text, at: text, 'show-values': flag, all: flag, json: flag },
  doctor: { ...always, ...doctorOptions },
  explain: always,
} as const;

export function readArguments(argv: readonly string[]): Command {
  const [first = '--help', ...rest] = argv;
  if (first.startsWith('-')) {
    return parse(argv, always).values['version'] === true ? { name: 'version' } : { name: 'help' };
  }
  if (first === 'help') return { name: 'help', of: rest[0] };
  if (!isCommand(first)) {
    throw new CliError(`Unknown command "${first}".${didYouMean(first, commands)}`, 2);
  }
  const { values, positionals } = parse(rest, options[first]);
  if (values['help'] === true) return { name: 'help', of: first };
  if (values['version'] === true) return { name: 'version' };
  if (first === 'doctor') return readDoctor(values, positionals);
  if (first === 'simulate') return readSimulate(values, positionals);
  if (first === 'inspect') return readInspect(values, positionals);
  if (first === 'explain') return readExplain(positionals);
  const [entry, extra] = first === 'dev' ? positionals : [undefined, ...positionals];
  if (extra !== undefined) {
    throw new CliError(`Unexpected argument "${extra}".${first === 'dev' ? devTakesFile : ''}`, 2);
  }
  const both = readShared(values);
  if (first === 'sandbox') {
    return { name: first, ...both, port: readPort(values['port']) };
  }
  const watch = values['watch'] === true && { watch: true };
  const wallets = values['wallets'] === true && { wallets: true };
  const stray = both.issuer === 'xx-sandbox' ? 'issuer xx-sandbox' : both.variant && 'variant';
  if (wallets !== false && stray !== undefined) {
    throw new CliError(`--${stray} belongs to a service: leave it out with --wallets.`, 2);
  }
  return { name: first, ...both, ...watch, ...wallets, ...(entry !== undefined && { entry }) };
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** Parses options and positional arguments. A mistake is a refusal with one sentence. */
function parse(args: readonly string[], known: NonNullable<ParseArgsConfig['options']>) {
  try {
    const parsed = parseArgs({ args: [...args], options: known, allowPositionals: true });
    return { values: parsed.values as Values, positionals: parsed.positionals };
  } catch (error) {
    const { message } = error as Error;
    const [, dashed] =
      /To specify an option argument starting with a dash use '(--[a-z-]+=)/.exec(message) ?? [];
    if (dashed !== undefined) throw new CliError(`A value that begins with a dash is written ${dashed}-…`, 2);
    const sentence = message.replace(/\.(?: .*)?$/s, '');
    const names = Object.keys(known).map((name) => `--${name}`);
    const [, unknown] = /^Unknown option '(--[^']+)'/.exec(sentence) ?? [];
    throw new CliError(`${sentence}.${unknown === undefined ? '' : didYouMean(unknown, names)}`, 2);
  }
}

function readInspect(values: Values, [file = '-', extra]: readonly string[]): Command {
  if (extra !== undefined) throw new CliError(`Unexpected argument "${extra}".`, 2);
  const { trust, state, at } = values as Readonly<Record<string, string | undefined>>;
  if (state !== undefined && trust === undefined) throw new CliError('--state needs --trust.', 2);
  const moment = at === undefined ? new Date() : new Date(at);
  if (!Number.isFinite(moment.getTime())) {
    throw new CliError('--at needs a time such as 2027-01-31T12:00:00Z.', 2);
  }
  const shown = {
    showValues: values['show-values'] === true,
    all: values['all'] === true,
    json: values['json'] === true,
  };
  return { name: 'inspect', file, trust, state, at: moment, ...shown };
}

function readExplain([code, extra]: readonly string[]): Command {
  if (code === undefined) {
    throw new CliError(
      'explain needs an error code, such as presentation_invalid, a check, such as C04, or a support code, such as 7F3K-9Q2M.',
      2,
    );
  }
  if (extra !== undefined) throw new CliError(`Unexpected argument "${extra}".`, 2);
  return { name: 'explain', code };
}

function readSimulate(values: Values, scenarios: readonly string[]): Command {
  const urls = [values['url'] ?? []].flat().map(String);
  if (urls.length === 0) {
    throw new CliError('simulate needs the address of your app: --url http://localhost:3000/members.', 2);
  }
  if (new Set(urls).size > 1) throw new CliError('--url was given twice with different addresses.', 2);
  if (scenarios.length === 0 && values['all'] !== true) {
    throw new CliError('simulate needs --all, or the names of scenarios.', 2);
  }
  if (scenarios.length > 0 && values['all'] === true)
    throw new CliError('Give either --all or scenarios, not both.', 2);
  const unknown = scenarios.find((name) => !isScenario(name) && name !== 'minor');
  if (unknown !== undefined) {
    throw new CliError(`Unknown scenario "${unknown}".${didYouMean(unknown, [...scenarioIds, 'minor'])}`, 2);
  }
  const minor = values['expect-minor'];
  if (minor !== undefined && (minor !== 'refused' || values['all'] !== true)) {
    throw new CliError('--expect-minor must be refused, and needs --all.', 2);
  }
  const expected = minor !== undefined && { expectMinor: 'refused' as const };
  return { name: 'simulate', urls, scenarios, ...expected, json: values['json'] === true };
}

function readShared(values: Values): Shared {
  const { person } = values;
  return {
    ...readCallback(values['callback']),
    ...readVariant(values['variant']),
    ...readIssuer(values['issuer']),
    ...(typeof person === 'string' && { person }),
  };
}

function readCallback(callback: Values[string]): { callback?: string } {
  if (typeof callback !== 'string') return {};
  if (URL.canParse(callback) && /^https?:$/.test(new URL(callback).protocol)) return { callback };
  throw new CliError(
    '--callback needs an http or https URL, such as http://localhost:3000/identity/callback.',
    2,
  );
}

function readVariant(name: Values[string]): { variant?: Variant } {
  if (name === undefined) return {};
  const variant = variants.find((known) => known === name);
  if (variant === undefined) throw new CliError('--variant must be base or derived.', 2);
  return { variant };
}

function readIssuer(name: Values[string]): { issuer?: SandboxIssuerId } {
  if (name === undefined) return {};
  if (name === 'xx-sandbox' || name === 'de-ausweis') return { issuer: name };
  throw new CliError('--issuer must be xx-sandbox or de-ausweis.', 2);
}

function readPort(port: Values[string] = usualPort): number {
  if (/^\d{1,5}$/.test(String(port)) && Number(port) <= 65_535) return Number(port);
  throw new CliError('--port needs a number from 0 to 65535.', 2);
}
