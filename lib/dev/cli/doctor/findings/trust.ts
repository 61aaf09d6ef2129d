import type { HttpAnswer } from '../http.js';
import { type Check, jsonOf } from '../finding.js';
import type { ReliedOn } from '../trust-facts.js';

const soonMs = 30 * 86_400_000;

const anchorExpired: Check = ({ published, now }) => {
  const expired = published
    .flatMap(({ certificates }) => certificates)
    .filter(({ validFrom, validUntil }) => validUntil < now || validFrom > now);
  if (expired.length === 0) return undefined;
  return {
    id: 'anchor-expired',
    found: `${expired.length} of the trusted certificates ${expired.length === 1 ? 'is' : 'are'} not valid now: ${list(expired)}.`,
    cause: 'The issuer has renewed its certificates, or will use this one only later.',
    mend: 'Get the current anchors from the issuer (for a list, its signer from its operator), and compare their fingerprints (trustFromPem prints those of anchors).',
  };
};

const anchorExpiresSoon: Check = ({ published, now }) => {
  const soon = published
    .flatMap(({ certificates }) => certificates)
    .filter(({ validUntil }) => validUntil >= now && validUntil.getTime() - now.getTime() < soonMs)
    // Those of the sandbox are made anew for each run.
    .filter(({ validFrom, validUntil }) => validUntil.getTime() - validFrom.getTime() > soonMs);
  if (soon.length === 0) return undefined;
  return {
    id: 'anchor-expires-soon',
    found: `Trusted certificates expire within 30 days: ${list(soon)}.`,
    cause: 'Certificates end. Presentations below an expired one are refused.',
    mend: 'Add the anchors that follow beside these, before that day.',
  };
};

const keysAway: Check = ({ published }) => {
  const away = published.filter(
    ({ keys, list }) => (keys !== undefined && !hasKeys(keys)) || (list !== undefined && !isSigned(list)),
  );
  if (away.length === 0) return undefined;
  return {
    id: 'keys-away',
    found: `The keys of ${[...new Set(away.map(({ issuer }) => issuer))].join(', ')} cannot be fetched.`,
    cause:
      'The jwksUri (or the trustedList.url) of the trust entry is wrong, its server is away, or a firewall is in between.',
    mend: 'Open the address from this machine with curl: it must answer 200 with a JWK set (or with the signed list).',
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

export const trustChecks: readonly Check[] = [anchorExpired, anchorExpiresSoon, keysAway];
