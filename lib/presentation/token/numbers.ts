import { refusal } from './check-failed.js';

/** JSON.parse rounds larger integers and makes infinities of still larger numbers: nothing says so later (S24). */
export function judgeNumbers(value: unknown): void {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw refusal('S24', 'A number is too large to be read exactly.');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) judgeNumbers(inner);
}
