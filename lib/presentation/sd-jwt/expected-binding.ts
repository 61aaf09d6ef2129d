/** The values that a key binding JWT must have. Times in seconds. */
export interface ExpectedBinding {
  readonly nonce: string;
  readonly audience: string;
  readonly maxAge: number;
  readonly tolerance: number;
  readonly startedAt: number | undefined;
}
