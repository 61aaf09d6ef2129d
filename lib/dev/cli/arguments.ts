import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Variant } from '../../contracts/attributes.js';
import { variants } from '../../protocol/dates.js';
import { Refusal } from './refusal.js';

/** What the command line asks for. */
export type Command =
  | { readonly name: 'help' | 'version' }
  | { readonly name: 'dev'; readonly entry?: string; readonly callback?: string; readonly variant?: Variant }
  | {
      readonly name: 'sandbox';
      readonly callback?: string;
      readonly variant?: Variant;
      readonly port: number;
    };

// The same at every run, so that an .env file made from the printed lines stays true.
const usualPort = '4747';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const always = { help: { ...flag, short: 'h' }, version: { ...flag, short: 'v' } } as const;

export function readArguments(argv: readonly string[]): Command {
  const [first = '--help', ...rest] = argv;
  if (first.startsWith('-')) {
    return parse(argv, always).values['version'] === true ? { name: 'version' } : { name: 'help' };
  }
  if (first === 'help') return { name: 'help' };
  if (first !== 'dev' && first !== 'sandbox') throw new Refusal(`There is no command "${first}".`, 2);
  const options = { ...always, callback: text, variant: text, ...(first === 'sandbox' && { port: text }) };
  const { values, positionals } = parse(rest, options);
  if (values['help'] === true) return { name: 'help' };
  if (values['version'] === true) return { name: 'version' };
  const shared = { ...readCallback(values['callback']), ...readVariant(values['variant']) };
  const [entry, extra] = first === 'dev' ? positionals : [undefined, ...positionals];
  if (extra !== undefined) throw new Refusal(`"${extra}" is one argument too many.`, 2);
  if (first === 'sandbox') return { name: first, ...shared, port: readPort(values['port']) };
  return { name: first, ...shared, ...(entry !== undefined && { entry }) };
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

function parse(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: parsed.values as Values, positionals: parsed.positionals };
  } catch (error) {
    const sentence = (error as Error).message.replace(/\.(?: .*)?$/s, '');
    throw new Refusal(`${sentence}.`, 2);
  }
}

function readCallback(callback: Values[string]): { callback?: string } {
  if (typeof callback !== 'string') return {};
  if (URL.canParse(callback) && /^https?:$/.test(new URL(callback).protocol)) return { callback };
  throw new Refusal(
    '--callback needs an http or https URL, such as http://localhost:3000/identity/callback.',
    2,
  );
}

function readVariant(name: Values[string]): { variant?: Variant } {
  if (name === undefined) return {};
  const variant = variants.find((it) => it === name);
  if (variant === undefined) throw new Refusal('--variant is base or derived.', 2);
  return { variant };
}

function readPort(port: Values[string] = usualPort): number {
  if (/^\d{1,5}$/.test(String(port)) && Number(port) <= 65_535) return Number(port);
  throw new Refusal('--port needs a number from 0 to 65535.', 2);
}
