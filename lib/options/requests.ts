import { configInvalid } from '../errors.js';
import type { ShapedOptions } from './schema.js';
import type { AttributeId, DerivedId, Variant } from '../contracts/attributes.js';
import { judgeProveRequest } from '../protocol/prove.js';
import { safePath } from '../safe/safe-path.js';

/** What is asked under one name. */
export interface RequestConfiguration {
  readonly name: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
  readonly purpose: string | undefined;
  readonly keep: ((result: never) => unknown) | undefined;
  readonly successRedirect: string;
}

/** All requests by name. What the service would refuse is refused here, at construction. */
export function resolveRequests(
  { requests = {}, successRedirect = '/', ...unnamed }: ShapedOptions,
  issuer: string,
  variant: Variant,
): ReadonlyMap<string, RequestConfiguration> {
  const all = [['default', { ...unnamed, successRedirect }] as const, ...Object.entries(requests)];
  return new Map(
    all.map(([name, { reveal, derived = {}, purpose, keep, successRedirect: own = successRedirect }]) => {
      const where = name === 'default' ? '' : `requests.${name}.`;
      const asked = Object.keys(derived).length === 0 ? {} : { derived };
      const judged = judgeProveRequest({ issuer, revealed: reveal, state: 'x', ...asked }, variant);
      if (!judged.ok) throw configInvalid(`Option ${where}derived: ${judged.description}`);
      checkRedirect(`${where}successRedirect`, own);
      const request = { name, reveal: Object.freeze(reveal), derived: Object.freeze(derived), purpose, keep };
      return [name, Object.freeze({ ...request, successRedirect: own })];
    }),
  );
}

/** With confirm 'callback' nothing enters a session, so there is nothing to keep. */
export function refuseKeep({ keep, requests = {} }: ShapedOptions): void {
  if (keep === undefined && Object.values(requests).every((it) => it.keep === undefined)) return;
  throw configInvalid(
    "Option keep: nothing enters the session with confirm: 'callback'; remove keep, or use 'return'.",
  );
}

/** A place to send a browser to is a path of the app, never another site. */
export function checkRedirect(option: string, value: string): void {
  if (safePath(value, 'https://app.invalid') !== undefined) return;
  throw configInvalid(`Option ${option}: must be a path of the app, such as /welcome.`);
}
