import type { AttributeId, DerivedId } from '../types/attributes.js';
import { sha256 } from './secrets.js';

/** A named request as the flow needs it. */
export interface RequestPlan {
  readonly name: string;
  readonly issuer: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
}

/** What decides whether something that was kept answers what the app asks now. */
interface Asked {
  readonly path: string;
  readonly isSandbox: (issuer: string) => boolean;
}

const version = 1;

/** Returns a digest of what a request asks, of whom: what was kept for another question does not count. */
export function createQuestions({ path, isSandbox }: Asked): (plan: RequestPlan) => string {
  const known = new Map<string, string>();
  return (plan) => {
    const { name, issuer, reveal, derived } = plan;
    const before = known.get(name);
    if (before !== undefined) return before;
    const asked = Object.entries(derived).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const whole = [version, path, name, issuer, isSandbox(issuer), reveal.toSorted(), asked];
    const digest = sha256(JSON.stringify(whole));
    known.set(name, digest);
    return digest;
  };
}
