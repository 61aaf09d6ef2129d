import { callbackBodies } from './callback-bodies.js';
import { callbackHttp } from './callback-http.js';
import { oddities } from './oddities.js';
import type { Random } from './random.js';
import { returns } from './returns.js';
import type { Kind } from './shot.js';

const kinds: readonly Kind[] = [...callbackBodies, ...callbackHttp, ...returns, ...oddities];
const whole = kinds.reduce((sum, { weight }) => sum + weight, 0);

export function kindFor(random: Random): Kind {
  let left = random.below(whole);
  const found = kinds.find(({ weight }) => (left -= weight) < 0);
  if (found === undefined) throw new Error('No kind');
  return found;
}
