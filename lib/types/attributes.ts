export const variants = ['base', 'derived'] as const;
/** The two variants of the service's interface. */
export type Variant = (typeof variants)[number];

/** The PID attributes that can be asked for, as the kit hands them to the app. */
export interface PidAttributes {
  family_name: string;
  given_name: string;
  /** `YYYY-MM-DD`, in both variants. */
  birth_date: string;
  /** ISO 3166-1 alpha-2 codes, or `QU` (unknown) and `QS` (stateless). */
  nationality: string[];
}

/** The answers that the service can compute from a PID without revealing it. */
export interface DerivedResults {
  /** Whether the person holds the nationality that was asked about. */
  nationality: boolean;
}

/** The name of an attribute in `reveal`. */
export type AttributeId = keyof PidAttributes;
/** The name of a check in `derived`. */
export type DerivedId = keyof DerivedResults;

/** The PID attribute ids of the interface (EU PID rulebook, annex 3.01). */
export const attributeIds = [
  'family_name',
  'given_name',
  'birth_date',
  'nationality',
] as const satisfies readonly AttributeId[];

/** The claim names of the EU PID rulebook, section 4.1.1. */
export const claimNames: Readonly<Record<AttributeId, readonly [string]>> = {
  family_name: ['family_name'],
  given_name: ['given_name'],
  birth_date: ['birthdate'],
  nationality: ['nationalities'],
};

/** The derived attribute ids of the interface. */
export const derivedIds = ['nationality'] as const satisfies readonly DerivedId[];

export const isAttributeId = (value: unknown): value is AttributeId =>
  (attributeIds as readonly unknown[]).includes(value);

export const isDerivedId = (value: unknown): value is DerivedId =>
  (derivedIds as readonly unknown[]).includes(value);
