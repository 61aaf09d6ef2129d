import type { Facts } from '../facts.js';
import type { Check, Finding } from '../finding.js';
import {
  appUnreachable,
  notMounted,
  mountedElsewhere,
  appUrlUnknown,
  policyReplaced,
  referrerReplaced,
  pageCached,
  startBlocked,
} from './app.js';
import {
  callbackRedirected,
  callbackForbidden,
  callbackMissing,
  bodyConsumed,
  callbackLimited,
  callbackUnlike,
  callbackUnreachable,
  bodyLost,
} from './callback.js';
import {
  environmentIncomplete,
  serviceAddressUnsafe,
  appUrlUnsafe,
  sandboxInProduction,
} from './environment.js';
import { serviceUnreachable, keyRefused, accountRefused, serviceUnlike, clockSkewed } from './service.js';
import {
  sessionMissing,
  sessionUnsupported,
  cookieNeverSet,
  trustProxyMissing,
  cookieNotSecure,
  cookieSameSiteNone,
  cookieForScripts,
  sessionRevived,
  sessionStoreAway,
  sessionsInMemory,
} from './session.js';
import { flowsInMemory, flowStoreAway } from './store.js';
import { anchorExpired, anchorExpiresSoon, keysAway } from './trust.js';

/** Every mistake that the doctor looks for, in the order in which they are best mended. */
const checks: readonly Check[] = [
  environmentIncomplete,
  serviceAddressUnsafe,
  appUrlUnsafe,
  sandboxInProduction,
  appUnreachable,
  notMounted,
  mountedElsewhere,
  appUrlUnknown,
  policyReplaced,
  referrerReplaced,
  pageCached,
  startBlocked,
  sessionMissing,
  sessionUnsupported,
  cookieNeverSet,
  trustProxyMissing,
  cookieNotSecure,
  cookieSameSiteNone,
  cookieForScripts,
  sessionRevived,
  sessionStoreAway,
  sessionsInMemory,
  callbackRedirected,
  callbackForbidden,
  callbackMissing,
  bodyConsumed,
  callbackLimited,
  callbackUnlike,
  callbackUnreachable,
  bodyLost,
  serviceUnreachable,
  keyRefused,
  accountRefused,
  serviceUnlike,
  clockSkewed,
  anchorExpired,
  anchorExpiresSoon,
  keysAway,
  flowsInMemory,
  flowStoreAway,
];

export function findingsIn(facts: Facts): readonly Finding[] {
  return checks.flatMap((check) => check(facts) ?? []);
}
