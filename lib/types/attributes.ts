export const variants = ['base', 'derived'] as const;
/** The two variants of the service's interface. `'base'` has no derived answers, and its dates are `DD-MM-YYYY`. */
export type Variant = (typeof variants)[number];

/** The PID attributes of the service's interface, as the kit hands them to the app. */
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

/** The name of one of these attributes. */
export type PidAttributeId = keyof PidAttributes;

type FirstDigit = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Digit = 0 | FirstDigit;

/** An age in `reveal`, from `age_over_1` to `age_over_150`: whether the person has reached it. */
export type AgeId =
  `age_over_${FirstDigit | `${FirstDigit}${Digit}` | `1${0 | 1 | 2 | 3 | 4}${Digit}` | 150}`;

/** The name of an attribute in `reveal`: one of the PID, or an age such as `age_over_18`. */
export type AttributeId = PidAttributeId | AgeId;

/** What a result may hold, by what is asked for. */
export interface AttributeValues extends PidAttributes, Record<AgeId, boolean> {}

/** The name of a check in `derived`. */
export type DerivedId = keyof DerivedResults;

/** The PID attribute ids of the interface (EU PID rulebook, annex 3.01). */
export const attributeIds = [
  'family_name',
  'given_name',
  'birth_date',
  'nationality',
] as const satisfies readonly PidAttributeId[];

export const isPidAttributeId = (value: unknown): value is PidAttributeId =>
  (attributeIds as readonly unknown[]).includes(value);

/** The years of an age's id: 18 for `age_over_18`, and undefined for what is no such id. */
export function yearsOf(id: AgeId): number;
export function yearsOf(id: unknown): number | undefined;
export function yearsOf(id: unknown): number | undefined {
  const years = typeof id === 'string' ? Number(/^age_over_([1-9]\d{0,2})$/.exec(id)?.[1]) : Number.NaN;
  return years <= 150 ? years : undefined;
}

export const isAgeId = (value: unknown): value is AgeId => yearsOf(value) !== undefined;

export const isAttributeId = (value: unknown): value is AttributeId =>
  isPidAttributeId(value) || isAgeId(value);

/** Returns what is asked for without ages: in their place is the date of birth, from which they are counted. */
export function withDateForAges(reveal: readonly AttributeId[]): readonly PidAttributeId[] {
  return [...new Set(reveal.map((id) => (isPidAttributeId(id) ? id : 'birth_date')))];
}

/** True where a wallet is asked for ages: not if it is asked for the date of birth anyway, or if its credential has none. */
export const asksForAges = (reveal: readonly AttributeId[], { age_over }: ClaimPaths = {}): boolean =>
  age_over !== false && reveal.some(isAgeId) && !reveal.includes('birth_date');

type ClaimPath = readonly string[];

/** Where a credential has what is asked for, as paths of claim names. The ages stand below one of them, by their years. */
export type ClaimPaths = Readonly<
  Partial<Record<PidAttributeId, ClaimPath>> & {
    /** False where a credential has no ages. */
    age_over?: ClaimPath | false | undefined;
  }
>;

/** The claim names of the EU PID rulebook, section 4.1.1, and of the ages in version 1.0 and in the German PID. */
export const claimNames = {
  family_name: ['family_name'],
  given_name: ['given_name'],
  birth_date: ['birthdate'],
  nationality: ['nationalities'],
  age_over: ['age_equal_or_over'],
} as const satisfies Required<ClaimPaths>;

/** Returns the path of an attribute; undefined where nothing says where it is. */
export function claimPath(id: AttributeId, paths: ClaimPaths): ClaimPath | undefined {
  if (isPidAttributeId(id)) return paths[id];
  return paths.age_over ? [...paths.age_over, `${yearsOf(id)}`] : undefined;
}

/** The derived attribute ids of the interface. */
export const derivedIds = ['nationality'] as const satisfies readonly DerivedId[];

export const isDerivedId = (value: unknown): value is DerivedId =>
  (derivedIds as readonly unknown[]).includes(value);
