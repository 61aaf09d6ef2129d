import type { ErrorCode } from '../errors.js';
import type { PidAttributes, DerivedResults, AttributeId, DerivedId, Variant } from './attributes.js';

/** What a presentation must be for: the values that the customer stored when the flow began. */
export interface Expected {
  readonly issuer: string;
  readonly state: string;
  readonly reveal: readonly AttributeId[];
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
  readonly variant?: Variant;
  readonly startedAt?: Date;
}

/** The outcome of judging a presentation. The refusal's reason never holds a value of the presentation. */
export type Verdict =
  | {
      readonly valid: true;
      readonly attributes: Readonly<Partial<PidAttributes>>;
      readonly derived: Readonly<Partial<DerivedResults>>;
    }
  | {
      readonly valid: false;
      readonly reason: string;
      /** The number of the first failed check, such as `B07`. */
      readonly check?: string;
      /** Defaults to `presentation_invalid`; a retryable code (`keys_unavailable`) is no verdict on the flow. */
      readonly code?: ErrorCode;
    };

/** Judges a presentation. A rejection means that no judgement was possible, not that the presentation is bad. */
export type Verifier = (presentation: string, expected: Expected) => Promise<Verdict>;
