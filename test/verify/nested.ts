import fc from 'fast-check';
import { digestOf, disclose } from '../support/verify/issuer.js';

/** A JSON value, and which of its parts the issuer makes selectively disclosable. */
export type Plan =
  | { readonly kind: 'value'; readonly value: string | number | boolean | null }
  | {
      readonly kind: 'object';
      readonly members: readonly (Part & { readonly name: string })[];
      readonly decoys: number;
    }
  | { readonly kind: 'array'; readonly elements: readonly Part[]; readonly decoys: number };

interface Part {
  readonly plan: Plan;
  /** In the open, in a Disclosure that is sent, or in one that the holder keeps back. */
  readonly how: 'open' | 'sent' | 'kept';
}

/** What an issuer makes of a plan. */
interface Issued {
  /** As it stands in the payload or in a Disclosure. */
  readonly signed: unknown;
  /** What has to be sent with it. */
  readonly disclosures: readonly string[];
  /** What a verifier must read. */
  readonly read: unknown;
}

const reserved = ['_sd', '_sd_alg', '...'];
const names = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'length', 'vct', 'exp', 'status', ''),
  )
  .filter((name) => !reserved.includes(name));
const how = fc.constantFrom('open', 'sent', 'sent', 'kept');
const decoys = fc.nat(2);

/** Any plan: values, objects and arrays inside one another, every part in any of the three ways. */
export const plans: fc.Arbitrary<Plan> = fc.letrec<{ plan: Plan }>((tie) => {
  const part = { plan: tie('plan'), how };
  return {
    plan: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      fc.record({
        kind: fc.constant('value'),
        value: fc.oneof(
          fc.string({ unit: 'binary', maxLength: 20 }),
          fc.maxSafeInteger(),
          fc.double({ min: -1e9, max: 1e9, noNaN: true }),
          fc.boolean(),
          fc.constant(null),
        ),
      }),
      fc.record({
        kind: fc.constant('object'),
        members: fc.uniqueArray(fc.record({ name: names, ...part }), {
          selector: ({ name }) => name,
          maxLength: 6,
        }),
        decoys,
      }),
      fc.record({
        kind: fc.constant('array'),
        elements: fc.array(fc.record(part), { maxLength: 6 }),
        decoys,
      }),
    ),
  };
}).plan;

let made = 0;

function decoyDigests(count: number): string[] {
  return Array.from({ length: count }, () => digestOf(`decoy ${String((made += 1))}`));
}

/** Issues a plan as RFC 9901 says, sections 4.2 and 5; what is kept back goes with everything inside it. */
export function issue(plan: Plan): Issued {
  if (plan.kind === 'value') return { signed: plan.value, disclosures: [], read: plan.value };
  return plan.kind === 'object' ? issueObject(plan) : issueArray(plan);
}

function issueObject({ members, decoys: count }: Extract<Plan, { kind: 'object' }>): Issued {
  const open: [name: string, value: unknown][] = [];
  const read: [name: string, value: unknown][] = [];
  const digests = decoyDigests(count);
  const disclosures: string[] = [];
  for (const { name, plan, how: way } of members) {
    const issued = issue(plan);
    if (way === 'open') open.push([name, issued.signed]);
    else {
      const text = disclose(name, issued.signed);
      digests.push(digestOf(text));
      if (way === 'kept') continue;
      disclosures.push(text);
    }
    disclosures.push(...issued.disclosures);
    read.push([name, issued.read]);
  }
  if (digests.length > 0) open.push(['_sd', digests.toSorted()]);
  return { signed: Object.fromEntries(open), disclosures, read: Object.fromEntries(read) };
}

function issueArray({ elements, decoys: count }: Extract<Plan, { kind: 'array' }>): Issued {
  const signed: unknown[] = decoyDigests(count).map((digest) => ({ '...': digest }));
  const read: unknown[] = [];
  const disclosures: string[] = [];
  for (const { plan, how: way } of elements) {
    const issued = issue(plan);
    if (way === 'open') signed.push(issued.signed);
    else {
      const text = disclose(issued.signed);
      signed.push({ '...': digestOf(text) });
      if (way === 'kept') continue;
      disclosures.push(text);
    }
    disclosures.push(...issued.disclosures);
    read.push(issued.read);
  }
  return { signed, disclosures, read };
}
