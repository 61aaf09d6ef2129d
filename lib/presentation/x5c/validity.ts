import { formatDuration } from '../../safe/time.js';
import { checkFailed } from '../token/check-failed.js';
import type { Certificate } from './certificate.js';
import type { Path } from './path.js';

/** Every certificate must be valid now, and one of the anchors (K06). `now` in seconds. */
export function checkValidity({ certificates, anchors }: Path, now: number): void {
  for (const [at, certificate] of certificates.entries()) {
    const why = notValid(certificate, now);
    if (why !== undefined) throw checkFailed('K06', `x5c[${at}] ${why}.`);
  }
  const reasons = anchors.map((anchor) => [anchor.name, notValid(anchor, now)] as const);
  if (reasons.some(([, why]) => why === undefined)) return;
  throw checkFailed('K06', `${reasons.map(([name, why]) => `The anchor ${name} ${why}`).join('; ')}.`);
}

/** Returns why a certificate is not valid now. It is valid through its last second. */
export function notValid({ notBefore, notAfter }: Certificate, now: number): string | undefined {
  if (now >= notAfter + 1) return `expired ${formatDuration(now - notAfter)} ago`;
  if (now < notBefore) return `is valid only in ${formatDuration(notBefore - now)}`;
  return undefined;
}
