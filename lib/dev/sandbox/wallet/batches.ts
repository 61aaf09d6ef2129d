import type { KeyObject } from 'node:crypto';
import type { PidAttributes } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import { newKeys } from '../issuers/certificates.js';
import type { GermanIssuer, IssuedPid } from '../issuers/german-issuer.js';
import { exportJWK } from '../jose.js';
import { shrink } from '../service/jobs.js';

/** A PID, and the key that it was issued to. */
export interface HeldPid {
  readonly pid: IssuedPid;
  readonly privateKey: KeyObject;
}

/** Takes a PID of somebody out of the wallet: it is shown once. */
export type TakePid = (person: Readonly<PidAttributes>) => Promise<HeldPid>;

const batchSize = 10;
const mostPeople = 20;
const lifetime = 14 * 24 * 60 * 60 * 1000;

/**
 * PIDs are issued ten at a time, each to a key of its own, and none is shown twice, so that no two verifiers can compare
 * what they saw. When all are shown, or have expired, the next ten are issued.
 */
export function createBatches(issuer: GermanIssuer, clock: Clock): TakePid {
  const batches = new Map<string, { readonly until: number; readonly left: HeldPid[] }>();
  return async (person) => {
    const now = clock().getTime();
    const whose = JSON.stringify(person);
    const known = batches.get(whose);
    const next = known !== undefined && now < known.until ? known.left.pop() : undefined;
    if (next !== undefined) return next;
    const made = await issueTo(Array.from({ length: batchSize }, newKeys), issuer, person);
    const [first, ...left] = made as [HeldPid, ...HeldPid[]];
    batches.set(whose, { until: now + lifetime, left });
    shrink(batches, mostPeople);
    return first;
  };
}

async function issueTo(
  keys: readonly ReturnType<typeof newKeys>[],
  issuer: GermanIssuer,
  person: Readonly<PidAttributes>,
): Promise<HeldPid[]> {
  return await Promise.all(
    keys.map(async ({ publicKey, privateKey }) => ({
      pid: await issuer.issue({ holder: await exportJWK(publicKey), person }),
      privateKey,
    })),
  );
}
