import type { ErrorCode } from '../errors.js';
import type { PidAttributes, DerivedResults, AttributeId, DerivedId, Variant } from './attributes.js';

/** The values that the customer stored when the flow began: a presentation must fit them. */
export interface Expected {
  readonly issuer: string;
  /** The secret of the flow, in any form: 128 random bits or more, because nonce and receipt are derived from it. */
  readonly state: string;
  readonly reveal: readonly AttributeId[];
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
  readonly variant?: Variant;
  readonly startedAt?: Date;
}

/** The outcome of verifying a presentation. The reason of a refusal never holds a value of the presentation. */
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
      /** Defaults to `presentation_invalid`; with a retryable code (`keys_unavailable`) the flow stays open. */
      readonly code?: ErrorCode;
    };

/** Verifies a presentation. A rejected promise means that there is no verdict, not that the presentation is bad. */
export type Verifier = (presentation: string, expected: Expected) => Promise<Verdict>;
