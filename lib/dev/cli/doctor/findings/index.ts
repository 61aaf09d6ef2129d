import type { Facts } from '../observe.js';
import type { DoctorCheck, Finding } from '../finding.js';
import { appChecks } from './app.js';
import { callbackChecks } from './callback.js';
import { environmentChecks } from './configuration.js';
import { serviceChecks } from './service.js';
import { sessionChecks } from './session.js';
import { storeChecks, trustChecks } from './trust-and-store.js';
import { walletsChecks } from './wallets.js';

/** Every mistake that the doctor looks for, in the order in which they are best fixed. */
const checks: readonly DoctorCheck[] = [
  ...environmentChecks,
  ...appChecks,
  ...sessionChecks,
  ...callbackChecks,
  ...serviceChecks,
  ...walletsChecks,
  ...trustChecks,
  ...storeChecks,
];

export function findingsIn(facts: Facts): readonly Finding[] {
  return checks.flatMap((check) => check(facts) ?? []);
}
