/** A span of time for an operator, rounded up so that it is never shorter than what was judged. */
export function inWords(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole === 1 ? '1 second' : `${whole} seconds`;
}
