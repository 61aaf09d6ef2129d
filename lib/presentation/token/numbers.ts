import { checkFailed } from './check-failed.js';

/** Refuses numbers that JSON.parse silently rounds or turns into infinity (S24). */
export function checkNumbers(value: unknown): void {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw checkFailed('S24', 'A number is too large to be read exactly.');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) checkNumbers(inner);
}
