/** What may be wrong, or special, with a presentation that the sandbox makes. Each is a scenario of that name. */
export type PlantedFault =
  | 'invalid_signature'
  | 'wrong_key'
  | 'wrong_nonce'
  | 'wrong_audience'
  | 'expired'
  | 'revoked'
  | 'status_unreachable'
  | 'keys_unreachable'
  | 'missing_attribute'
  | 'extra_attribute'
  | 'wrong_type'
  | 'derived_true'
  | 'derived_false';

/** Changes a signature so that it stays well-formed. */
export function breakSignature(jws: string): string {
  const at = jws.lastIndexOf('.') + 1;
  const bytes = Buffer.from(jws.slice(at), 'base64url');
  bytes.writeUInt8(bytes.readUInt8(4) ^ 1, 4);
  return jws.slice(0, at) + bytes.toString('base64url');
}

/** Leaves out the first thing that was asked for, or adds one that was not. */
export function revealWith<Name extends string>(
  asked: readonly Name[],
  all: readonly Name[],
  fault: PlantedFault | undefined,
): readonly Name[] {
  if (fault === 'missing_attribute') return asked.slice(1);
  if (fault === 'extra_attribute') return [...asked, ...all.filter((id) => !asked.includes(id)).slice(0, 1)];
  return asked;
}

/** Gives the first claim that was asked for a type that it must not have. */
export function retype<Claims extends Readonly<Record<string, unknown>>>(
  claims: Claims,
  asked: readonly string[],
  fault: PlantedFault | undefined,
): Readonly<Record<string, unknown>> {
  const [first] = asked;
  return fault === 'wrong_type' && first !== undefined ? { ...claims, [first]: 42 } : claims;
}

/** Times of a credential in seconds: two weeks, from now or over since yesterday. */
export function lifeFrom(now: number, fault: PlantedFault | undefined): { iat: number; exp: number } {
  const day = 24 * 60 * 60;
  const iat = fault === 'expired' ? now - 15 * day : now;
  return { iat, exp: iat + 14 * day };
}

/** The forced answer, where the scenario forces one. */
export function derivedWith<Answer extends { nationality?: '0' | '1' }>(
  derived: Answer,
  fault: PlantedFault | undefined,
): Answer | { nationality: '0' | '1' } {
  if (derived.nationality === undefined) return derived;
  if (fault === 'derived_true') return { nationality: '1' };
  return fault === 'derived_false' ? { nationality: '0' } : derived;
}
