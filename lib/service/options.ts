import { type ChecksOf, nonEmptyString, oneOf, optional, satisfying } from '../internal/validate.js';
import { type Variant, variants } from '../types/attributes.js';

export { createProveService as createService } from './prove/client.js';

/** The options of the factory that are about the service. Another service changes them here, and `createService`. */
export interface ServiceOptions {
  /** The address of the service, without `/prove`; default `IDENTITY_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The API key, or a function that fetches it; default `IDENTITY_API_KEY`. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The variant of the service's interface. Default `IDENTITY_VARIANT`, or else `'derived'`. */
  readonly variant?: Variant | undefined;
}

export const serviceMembers = {
  baseUrl: optional(nonEmptyString),
  apiKey: optional(
    satisfying<string | (() => string | Promise<string>)>(
      (value) => (typeof value === 'string' && value !== '') || typeof value === 'function',
      'must be a string or a function',
    ),
  ),
  variant: optional(oneOf(variants)),
} satisfies ChecksOf<ServiceOptions>;

/** The variable of each, and the value without one; an option without either is missing. */
export const serviceVariables = {
  baseUrl: ['IDENTITY_BASE_URL'],
  apiKey: ['IDENTITY_API_KEY'],
  variant: ['IDENTITY_VARIANT', 'derived'],
} as const;
