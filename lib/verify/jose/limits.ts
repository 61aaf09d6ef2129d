/** The largest token that is accepted (P01, P08). */
export interface TokenLimits {
  /** Characters of the whole token; default 262,144, the size limit of a callback. */
  readonly length: number;
  /** Disclosures; default 1,000. */
  readonly disclosures: number;
  /** Characters of one Disclosure; default 131,072: a portrait fits. */
  readonly disclosureLength: number;
  /** Objects and arrays inside one another; default 32. */
  readonly depth: number;
  /** Elements of one array, digests included; default 2,000. */
  readonly arrayLength: number;
  /** Members and elements of one header, payload or Disclosure; default 5,000. */
  readonly values: number;
}

export const defaultLimits: TokenLimits = Object.freeze({
  length: 256 * 1024,
  disclosures: 1000,
  disclosureLength: 128 * 1024,
  depth: 32,
  arrayLength: 2000,
  values: 5000,
});
