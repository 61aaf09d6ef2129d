import type { Check } from '../finding.js';
import { jsonOf } from '../finding.js';

const soonMs = 30 * 86_400_000;

const anchorExpired: Check = ({ published, now }) => {
  const expired = published
    .flatMap(({ anchors }) => anchors)
    .filter(({ validFrom, validUntil }) => validUntil < now || validFrom > now);
  if (expired.length === 0) return undefined;
  return {
    id: 'anchor-expired',
    found: `${expired.length} of the trusted certificates ${expired.length === 1 ? 'is' : 'are'} not valid now: ${list(expired)}.`,
    cause: 'The issuer has renewed its certificates, or will use this one only later.',
    mend: 'Get the current anchors from the issuer, and compare their fingerprints (trustFromPem prints them).',
  };
};

const anchorExpiresSoon: Check = ({ published, now }) => {
  const soon = published
    .flatMap(({ anchors }) => anchors)
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
  const away = published.filter(({ keys }) => keys !== undefined && !hasKeys(keys));
  if (away.length === 0) return undefined;
  return {
    id: 'keys-away',
    found: `The keys of ${[...new Set(away.map(({ issuer }) => issuer))].join(', ')} cannot be fetched.`,
    cause: 'The jwksUri of the trust entry is wrong, its server is away, or a firewall is in between.',
    mend: 'Open the address from this machine with curl: it must answer 200 with a JWK set.',
  };
};

function hasKeys(answer: NonNullable<Parameters<typeof keysAway>[0]['published'][number]['keys']>): boolean {
  if (answer.kind !== 'reply' || answer.status !== 200) return false;
  const { keys } = jsonOf(answer.body);
  return Array.isArray(keys) && keys.length > 0;
}

function list(certificates: readonly { subject: string; validUntil: Date }[]): string {
  return certificates
    .map(({ subject, validUntil }) => `${subject} (until ${validUntil.toISOString().slice(0, 10)})`)
    .join('; ');
}

export const trustChecks: readonly Check[] = [anchorExpired, anchorExpiresSoon, keysAway];
