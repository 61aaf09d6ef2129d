import type { Facts } from '../observations.js';
import type { Check, Finding } from '../finding.js';
import { appChecks } from './app.js';
import { callbackChecks } from './callback.js';
import { environmentChecks } from './environment.js';
import { serviceChecks } from './service.js';
import { sessionChecks } from './session.js';
import { storeChecks } from './store.js';
import { trustChecks } from './trust.js';

/** Every mistake that the doctor looks for, in the order in which they are best mended. */
const checks: readonly Check[] = [
  ...environmentChecks,
  ...appChecks,
  ...sessionChecks,
  ...callbackChecks,
  ...serviceChecks,
  ...trustChecks,
  ...storeChecks,
];

export function findingsIn(facts: Facts): readonly Finding[] {
  return checks.flatMap((check) => check(facts) ?? []);
}
