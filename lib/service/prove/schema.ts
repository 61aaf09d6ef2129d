import * as z from 'zod/mini';
import { isPlainObject } from '../../internal/validate.js';
import type { Variant } from '../../types/attributes.js';
import { attributeIds, derivedIds, isDerivedId, isPidAttributeId } from '../../types/attributes.js';
import type { ProveErrorCode } from './errors.js';

const text = z.string().check(z.minLength(1));

const base = {
  issuer: text,
  revealed: z.array(z.enum(attributeIds)).check(z.minLength(1)),
  state: text,
};

/** Body of `POST /prove` in the base variant. */
export const baseProveRequest = z.strictObject({ ...base, same_device: z._default(z.boolean(), false) });

/** Body of `POST /prove` in the variant with derived attributes. */
export const derivedProveRequest = z.extend(baseProveRequest, {
  derived: z._default(z.partialRecord(z.enum(derivedIds), text), {}),
});

/** A request as the service reads it, with the defaults filled in. */
export type ReceivedProveRequest = z.infer<typeof baseProveRequest> &
  Partial<Pick<z.infer<typeof derivedProveRequest>, 'derived'>>;

/** Reply of `POST /prove`, both shapes. A failure may leave out its description. */
export const proveResponse = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), redirect_url: text }),
  z.object({
    success: z.literal(false),
    error: z.object({ error: text, error_description: z._default(z.string(), '') }),
  }),
]);

export type ProveResponse = z.infer<typeof proveResponse>;

/**
 * Parses a request by the rules of the interface, in the order missing, issuer, attributes, the rest. The client
 * and the sandbox both call this function, so that they cannot disagree. `issuers` closes the union of issuer ids, where it
 * is known.
 */
export function parseProveRequest(body: unknown, variant: Variant, issuers?: readonly string[]) {
  const refuse = (code: ProveErrorCode, description: string) => ({ ok: false, code, description }) as const;
  if (!isPlainObject(body)) return refuse('error_invalid_body', 'The body must be a JSON object.');
  const { issuer, revealed, state, derived } = body;
  if (issuer === undefined) return refuse('error_missing_parameter', 'issuer is missing.');
  if (revealed === undefined) return refuse('error_missing_parameter', 'revealed is missing.');
  if (state === undefined || state === '') return refuse('error_missing_state', 'state is missing.');
  if (typeof issuer !== 'string' || issuer === '' || issuers?.includes(issuer) === false) {
    return refuse('error_wrong_issuer', 'issuer is not one of the supported issuers.');
  }
  if (!Array.isArray(revealed) || revealed.length === 0) {
    return refuse('error_invalid_body', 'revealed must be a list of at least one attribute id.');
  }
  if (!revealed.every(isPidAttributeId)) {
    return refuse('error_invalid_attribute', `revealed may hold ${attributeIds.join(', ')}.`);
  }
  if (variant === 'base' && derived !== undefined) {
    return refuse('error_invalid_body', 'derived is not part of the base variant.');
  }
  if (isPlainObject(derived) && !Object.keys(derived).every(isDerivedId)) {
    return refuse('error_invalid_attribute', `derived may hold ${derivedIds.join(', ')}.`);
  }
  const schema = variant === 'base' ? baseProveRequest : derivedProveRequest;
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    const request: ReceivedProveRequest = parsed.data;
    return { ok: true, request } as const;
  }
  const at = parsed.error.issues[0]?.path[0];
  const description = typeof at === 'string' ? `${at} is not valid.` : 'The body has an unknown field.';
  return refuse('error_invalid_body', description);
}
