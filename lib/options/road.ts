import { readFileSync } from 'node:fs';
import { configInvalid } from '../errors.js';
import { codeOf } from '../internal/system-code.js';
import { isLoopback, secureUrl } from '../internal/urls.js';
import { invalid } from '../internal/validate.js';
import { type Access, isCompactJwt, readAccess, type WalletsEntry, whyNotNow } from '../service/access.js';
import type { IdentityService } from '../service/contract.js';
import { createService, createWalletsService, walletsVariables } from '../service/options.js';
import type { CheckedOptions } from './options.js';
import { sameDeviceIsOfService, waysAreOfWallets } from './questions.js';

/** A variable of the environment. */
type Read = (name: string) => string | undefined;

/** Who asks wallets: a service, or the app itself. */
export interface Road {
  readonly service: IdentityService;
  /** Whether addresses may be plain http on this machine. */
  readonly mayBePlain: boolean;
  /** Of a service. */
  readonly baseUrl?: string;
  /** Of an app that asks wallets itself. */
  readonly access?: readonly [Access, ...Access[]];
}

/** Whether the app asks wallets itself; an error where its options and variables say both. */
export function asksWallets(options: CheckedOptions, read: Read): boolean {
  const named = (
    names: readonly ('baseUrl' | 'apiKey' | 'wallets')[],
    variables: readonly string[],
  ): string[] => [
    ...names.filter((name) => options[name] !== undefined).map((name) => `the option ${name}`),
    ...variables.filter((name) => read(name) !== undefined),
  ];
  const own = named(['wallets'], Object.values(walletsVariables));
  const ofService = named(['baseUrl', 'apiKey'], ['IDENTITY_BASE_URL', 'IDENTITY_API_KEY']);
  if (own.length === 0 || ofService.length === 0) return own.length > 0;
  const list = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);
  throw configInvalid(
    `An app asks wallets itself, as ${list(own)} says, or asks a service, as ${list(ofService)} says. ` +
      `Remove ${list(ofService)} to ask wallets, or ${list(own)} to ask the service.`,
  );
}

interface OwnRoad {
  readonly appUrl: string | readonly string[];
  readonly isProduction: boolean;
  /** The path of the wallet page. */
  readonly page: string;
  readonly read: Read;
}

export function roadToWallets(options: CheckedOptions, { appUrl, isProduction, page, read }: OwnRoad): Road {
  for (const name of ['variant', 'sameDevice'] as const) {
    if (options[name] === undefined) continue;
    throw invalid(
      `Option ${name}`,
      name === 'variant' ? 'is of a service, and wallets have none' : sameDeviceIsOfService,
    );
  }
  const access = accessOf(options.wallets ?? [{}], read);
  const now = options.clock().getTime();
  const faults = access.map((one) => whyNotNow(one, now));
  if (faults.every((fault) => fault !== undefined)) {
    throw invalid('Option wallets', `has no certificate that is valid now: it ${faults.join(', it ')}`);
  }
  const isLocal = [appUrl].flat().every((url) => URL.canParse(url) && isLoopback(new URL(url)));
  return { service: createWalletsService({ access, page }), mayBePlain: isLocal && !isProduction, access };
}

/** One entry takes what the code leaves out from the environment; of a list each has its own. */
function accessOf(entries: readonly WalletsEntry[], read: Read): readonly [Access, ...Access[]] {
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return [accessIn(only, 'Option wallets', read)];
  const all = entries.map((entry, at) => accessIn(entry, `Option wallets[${at}]`, () => undefined));
  if (new Set(all.map(({ clientId }) => clientId)).size < all.length) {
    throw invalid('Option wallets', 'has the same certificate twice');
  }
  return all as [Access, ...Access[]];
}

function accessIn(entry: WalletsEntry, place: string, read: Read): Access {
  const places = new Map<keyof WalletsEntry, string>();
  const found = { ...entry };
  for (const [name, variable] of Object.entries(walletsVariables) as [
    keyof typeof walletsVariables,
    string,
  ][]) {
    if (found[name] !== undefined) continue;
    const value = textOf(variable, read);
    if (value !== undefined) Object.assign(found, { [name]: value });
    if (value !== undefined) places.set(name, variable);
    if (value === undefined && name !== 'registration') {
      throw invalid(`${place}.${name}`, `is missing: set it, or the environment variable ${variable}`);
    }
  }
  return readAccess(found, (member) => places.get(member) ?? `${place}.${member}`);
}

/** The text itself, or that of the file which the variable names. */
function textOf(variable: string, read: Read): string | undefined {
  const text = read(variable)
    ?.replaceAll(String.raw`\n`, '\n')
    .trim();
  if (text === undefined || text.includes('-----BEGIN') || isCompactJwt(text)) return text;
  try {
    return readFileSync(text, 'utf8').trim();
  } catch (error) {
    throw invalid(
      variable,
      `is neither the text itself nor the name of a file that can be read (${codeOf(error) ?? 'no reason given'})`,
    );
  }
}

export function roadToService(
  options: CheckedOptions,
  given: Parameters<typeof createService>[0],
): Road & { readonly baseUrl: string } {
  const base = secureUrl(given.baseUrl, true);
  if (base === undefined) {
    throw configInvalid(
      'Option baseUrl (or IDENTITY_BASE_URL): must be an https URL (http only on loopback).',
    );
  }
  if (options.ways !== undefined) throw invalid('Option ways', waysAreOfWallets);
  const other = (['wallet', 'request', 'answer'] as const).find((name) => options.routes[name] !== undefined);
  if (other !== undefined)
    throw invalid(`Option routes.${other}`, 'is a route of apps that ask wallets themselves');
  return { service: createService(given), mayBePlain: isLoopback(base), baseUrl: given.baseUrl };
}
