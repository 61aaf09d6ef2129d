import { z } from 'zod';
import type { Variant } from '../../types/attributes.js';
import type { ProveRequest } from '../../types/service.js';
import { attributeIds, derivedIds, isAttributeId, isDerivedId } from '../attributes.js';
import type { ServiceErrorCode } from './errors.js';

const base = {
  issuer: z.string().min(1),
  revealed: z.array(z.enum(attributeIds)).min(1),
  state: z.string().min(1),
};

/** Body of `POST /prove` in the base variant. */
export const baseProveRequest = z.strictObject({ ...base, same_device: z.boolean().default(false) });

/** Body of `POST /prove` in the variant with derived attributes. */
export const derivedProveRequest = baseProveRequest.extend({
  derived: z.partialRecord(z.enum(derivedIds), z.string().min(1)).default({}),
});

/** A request as the service reads it, with the defaults filled in. */
export type ReceivedProveRequest = z.infer<typeof baseProveRequest> &
  Partial<Pick<z.infer<typeof derivedProveRequest>, 'derived'>>;

/** Reply of `POST /prove`, both shapes. A failure may leave out its description. */
export const proveResponse = z.discriminatedUnion('success', [
  z.object({ success: z.literal(true), redirect_url: z.string().min(1) }),
  z.object({
    success: z.literal(false),
    error: z.object({ error: z.string().min(1), error_description: z.string().default('') }),
  }),
]);

export type ProveResponse = z.infer<typeof proveResponse>;

export type ParsedProveRequest =
  | { readonly ok: true; readonly request: ReceivedProveRequest }
  | { readonly ok: false; readonly code: ServiceErrorCode; readonly description: string };

/** The own members of an object that JSON can carry; undefined for anything else. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/**
 * Parses a request by the rules of the interface, in the order missing, issuer, attributes, the rest. Kit and sandbox
 * both call this function, so that they cannot disagree. `issuers` closes the union of issuer ids, where it is known.
 */
export function parseProveRequest(
  body: unknown,
  variant: Variant,
  issuers?: readonly string[],
): ParsedProveRequest {
  const refuse = (code: ServiceErrorCode, description: string): ParsedProveRequest => ({
    ok: false,
    code,
    description,
  });
  const members = membersOf(body);
  if (members === undefined) return refuse('error_invalid_body', 'The body must be a JSON object.');
  const { issuer, revealed, state, derived } = members;
  if (issuer === undefined) return refuse('error_missing_parameter', 'issuer is missing.');
  if (revealed === undefined) return refuse('error_missing_parameter', 'revealed is missing.');
  if (state === undefined || state === '') return refuse('error_missing_state', 'state is missing.');
  if (typeof issuer !== 'string' || issuer === '' || issuers?.includes(issuer) === false) {
    return refuse('error_wrong_issuer', 'issuer is not one of the supported issuers.');
  }
  if (!Array.isArray(revealed) || revealed.length === 0) {
    return refuse('error_invalid_body', 'revealed must be a list of at least one attribute id.');
  }
  if (!revealed.every(isAttributeId)) {
    return refuse('error_invalid_attribute', `revealed may hold ${attributeIds.join(', ')}.`);
  }
  if (variant === 'base' && derived !== undefined) {
    return refuse('error_invalid_body', 'derived is not part of the base variant.');
  }
  if (!Object.keys(membersOf(derived) ?? {}).every(isDerivedId)) {
    return refuse('error_invalid_attribute', `derived may hold ${derivedIds.join(', ')}.`);
  }
  const schema = variant === 'base' ? baseProveRequest : derivedProveRequest;
  const parsed = schema.safeParse(body);
  if (parsed.success) return { ok: true, request: parsed.data };
  const at = parsed.error.issues[0]?.path[0];
  return refuse(
    'error_invalid_body',
    typeof at === 'string' ? `${at} is not valid.` : 'The body has an unknown field.',
  );
}

/** Returns the body that is sent: the members that the variant knows, none of them undefined. */
export function proveBody(request: ProveRequest, variant: Variant): string {
  const { issuer, revealed, state, same_device = false, derived = {} } = request;
  return JSON.stringify({ issuer, revealed, state, same_device, ...(variant === 'derived' && { derived }) });
}
