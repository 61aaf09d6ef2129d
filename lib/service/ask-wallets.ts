import { randomBytes } from 'node:crypto';
import { configInvalid } from '../errors.js';
import type { Log } from '../types/events.js';
import { type Access, whyNotNow } from './access.js';
import type { IdentityService } from './contract.js';
import { fromCallback } from './prove/errors.js';

interface AskingWallets {
  /** Never empty; the first that is valid asks. */
  readonly access: readonly Access[];
  /** The path of the wallet page. */
  readonly page: string;
}

/**
 * Asks wallets itself, by OpenID4VP 1.0 and HAIP 1.0, without a service in between. What is needed for one wallet is
 * loaded by the first that comes.
 */
export function createWalletsService({ access, page }: AskingWallets): IdentityService {
  const warn = warner();
  return {
    toRecord({ ways, now, log }) {
      const asking = access.find((one) => whyNotNow(one, now) === undefined);
      if (asking === undefined) {
        const why = access.map((one) => whyNotNow(one, now)).join(', ');
        throw configInvalid(
          `Option wallets: the access certificate ${why}. Wallets can be asked with a valid one only.`,
        );
      }
      warn(asking, now, log);
      const bytes = randomBytes(32).toString('base64url');
      return { variant: 'derived', wallets: { ways, clientId: asking.clientId, bytes } };
    },
    start: async ({ state, origin }) =>
      await Promise.resolve({ redirectUrl: `${origin}${page}?state=${state}` }),
    sendsOnce: true,
    callbackType: 'application/x-www-form-urlencoded',
    async readCallback(body) {
      const { readAnswer } = await import('./wallets/answer.js');
      return readAnswer(body);
    },
    reply: (redirectUri) => ({
      mediaType: 'application/json',
      body: JSON.stringify(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    }),
    errorOf: fromCallback,
    whyNotSupported: ({ derived }) =>
      Object.keys(derived).length > 0
        ? 'a wallet shares what it holds and judges none of it: reveal nationality, or ask a service'
        : undefined,
  };
}

const day = 24 * 60 * 60 * 1000;

/** Whether a certificate is to be told of: in its last thirty days, or in the last third of a shorter life. */
export const endsSoon = ({ validFrom, validUntil }: Access, now: number): boolean =>
  validUntil - now <= Math.min(30 * day, (validUntil - validFrom) / 3);

/** Tells once a day that the certificate which asks will end soon. */
function warner() {
  let told = -Infinity;
  return (access: Access, now: number, log: Log): void => {
    if (!endsSoon(access, now) || now - told < day) return;
    told = now;
    const end = new Date(access.validUntil).toISOString().slice(0, 10);
    log.warn(`the access certificate ends on ${end}: put the new one in front of it in the option wallets.`);
  };
}
