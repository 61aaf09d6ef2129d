import { randomBytes } from 'node:crypto';
import type { PidAttributes } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import type { GermanIssuer } from '../issuers/german-issuer.js';
import { newKeys } from '../issuers/certificates.js';
import { type PlantedFault, revealWith } from '../issuers/faults.js';
import { disclosuresFor } from '../issuers/sd-jwt.js';
import { SignJWT, exportJWK } from '../jose.js';
import { claimNames } from '../people/claims.js';
import { sha256Of } from '../service/digest.js';
import type { HeldPid, TakePid } from './batches.js';
import type { WalletRequest } from './wallet.js';

const all = [...Object.values(claimNames), 'address'];

/** Shows what the request asks for, of a PID from the batch; one with a fault is issued for this flow alone. */
export async function presentPid(
  issuer: GermanIssuer,
  take: TakePid,
  { asked, nonce, clientId }: Pick<WalletRequest, 'asked' | 'nonce' | 'clientId'>,
  person: Readonly<PidAttributes>,
  fault: PlantedFault | undefined,
  clock: Clock,
): Promise<string> {
  const names = revealWith(
    asked.map(([name]) => name ?? ''),
    all,
    fault,
  );
  const { pid, privateKey } = fault === undefined ? await take(person) : await faulty();
  const shown = disclosuresFor(
    pid,
    names.map((name) => [name]),
  );
  const presented = [pid.credential, ...shown, ''].join('~');
  const binding = {
    nonce: fault === 'wrong_nonce' ? randomBytes(32).toString('base64url') : nonce,
    aud: fault === 'wrong_audience' ? 'x509_san_dns:somebody-else.example' : clientId,
    iat: Math.floor(clock().getTime() / 1000),
    sd_hash: sha256Of(presented),
  };
  const key = fault === 'wrong_key' ? newKeys().privateKey : privateKey;
  return (
    presented + (await new SignJWT(binding).setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' }).sign(key))
  );

  async function faulty(): Promise<HeldPid> {
    const keys = newKeys();
    const holder = await exportJWK(keys.publicKey);
    return { pid: await issuer.issue({ holder, person, fault, shown: names }), privateKey: keys.privateKey };
  }
}
