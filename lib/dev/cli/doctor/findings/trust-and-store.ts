import type { HttpAnswer } from '../http.js';
import { type DoctorCheck, jsonOf } from '../finding.js';
import type { ReliedOn } from '../trust-facts.js';

const soonMs = 30 * 86_400_000;

const anchorExpired: DoctorCheck = ({ published, now }) => {
  const expired = published
    .flatMap(({ certificates }) => certificates)
    .filter(({ validFrom, validUntil }) => validUntil < now || validFrom > now);
  if (expired.length === 0) return undefined;
  return {
    id: 'anchor-expired',
    observed: `${expired.length} of the trusted certificates ${expired.length === 1 ? 'is' : 'are'} not valid now: ${list(expired)}.`,
    cause: 'The issuer has renewed its certificates, or does not use this one yet.',
    fix: 'Get the current anchors from the issuer (for a list, its signer from its operator), and compare their fingerprints (trustFromPem prints those of anchors).',
  };
};

const anchorExpiresSoon: DoctorCheck = ({ published, now }) => {
  const soon = published
    .flatMap(({ certificates }) => certificates)
    .filter(({ validUntil }) => validUntil >= now && validUntil.getTime() - now.getTime() < soonMs)
    // Those of the sandbox are made anew for each run.
    .filter(({ validFrom, validUntil }) => validUntil.getTime() - validFrom.getTime() > soonMs);
  if (soon.length === 0) return undefined;
  return {
    id: 'anchor-expires-soon',
    observed: `Trusted certificates expire within 30 days: ${list(soon)}.`,
    cause: 'Certificates expire. Presentations under an expired one are refused.',
    fix: 'Add the new anchors alongside these before that day.',
  };
};

const keysAway: DoctorCheck = ({ published }) => {
  const away = published.filter(
    ({ keys, list }) => (keys !== undefined && !hasKeys(keys)) || (list !== undefined && !isSigned(list)),
  );
  if (away.length === 0) return undefined;
  return {
    id: 'keys-away',
    observed: `The keys of ${[...new Set(away.map(({ issuer }) => issuer))].join(', ')} cannot be fetched.`,
    cause:
      'The jwksUri (or the trustedList.url) of the trust entry is wrong, its server is down, or a firewall is in between.',
    fix: 'Open the address from this machine with curl: it must return 200 with a JWK set (or the signed list).',
  };
};

function hasKeys(answer: HttpAnswer): boolean {
  if (answer.kind !== 'reply' || answer.status !== 200) return false;
  const { keys } = jsonOf(answer.body);
  return Array.isArray(keys) && keys.length > 0;
}

/** A list of trusted entities begins as every compact JWS does. It may be longer than the doctor reads. */
function isSigned(answer: HttpAnswer): boolean {
  return answer.kind === 'reply' && answer.status === 200 && /^[\w-]+\.[\w-]+/.test(answer.body);
}

function list(certificates: readonly ReliedOn[]): string {
  return certificates
    .map(({ subject, validUntil }) => `${subject} (until ${validUntil.toISOString().slice(0, 10)})`)
    .join('; ');
}

export const trustChecks: readonly DoctorCheck[] = [anchorExpired, anchorExpiresSoon, keysAway];

const flowsInMemory: DoctorCheck = ({ store, settings: { mode } }) => {
  if (!store?.memory || mode !== 'production') return undefined;
  return {
    id: 'flows-in-memory',
    observed: 'NODE_ENV is production, but verifications are kept in the memory of one process.',
    cause:
      'The option store is not set. The callback of the service may reach a different process, or the same one after a restart.',
    fix: 'Use a store that all processes share, as in docs/scaling.md.',
  };
};

const flowStoreAway: DoctorCheck = ({ store }) => {
  if (store?.failed === undefined) return undefined;
  return {
    id: 'flow-store-away',
    observed: `The flow store does not work as required: ${store.failed} failed.`,
    cause:
      'Its server is down, its table does not exist (setup), its client is not connected, or your own store breaks the contract.',
    fix: "Check the server and the app's log. For your own store, run flowStoreContract from pidgate/testing.",
  };
};

/** Asked of a second process, as the session's secret is. */
const flowSecretDiffers: DoctorCheck = ({ inside }) => {
  if (inside?.sharesSecret !== false) return undefined;
  return {
    id: 'flow-secret-differs',
    observed: 'A second process of this app does not open the verifications of the first.',
    cause: 'The option secret is made anew in each process, such as by randomBytes.',
    fix: 'Read it from the environment (IDENTITY_SECRET), the same for all processes.',
  };
};

export const storeChecks: readonly DoctorCheck[] = [flowsInMemory, flowSecretDiffers, flowStoreAway];
