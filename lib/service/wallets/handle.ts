import { isWay, type Way } from '../../types/ways.js';

/** A flow and a way, as a wallet is told them: in the address of its request, as `state`, and as the `kid` of its key. */
export interface Handle {
  readonly state: string;
  readonly way: Way;
}

export const printHandle = ({ state, way }: Handle): string => `${state}.${way}`;

/**
 * The handle that a wallet brings, or undefined where no flow can have such a one. Whose flow it is, only its record tells.
 * A wallet brings none of the browser's: that request stands in the page, and its answer is posted by the page.
 */
export function readHandle(text: unknown): Handle | undefined {
  const [state = '', way, ...more] = typeof text === 'string' ? text.split('.') : [];
  const isBrought = isWay(way) && way !== 'browser';
  return state !== '' && isBrought && more.length === 0 ? { state, way } : undefined;
}
