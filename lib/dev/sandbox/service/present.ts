import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../internal/sha256.js';
import { nonceOf } from '../../../service/receipt.js';
import { newKeys } from '../issuers/certificates.js';
import { type PlantedFault, revealWith } from '../issuers/faults.js';
import { type ClaimPath, disclosuresFor } from '../issuers/sd-jwt.js';
import { exportJWK, SignJWT } from '../jose.js';
import { attributeIds, claimNames } from '../../../types/attributes.js';
import { germanIssuer, sandboxProfile } from '../profile.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { isFault } from '../scenarios/playable.js';
import { type WalletReply, errorReply } from './answers.js';
import { stateDerived } from './derived-statement.js';
import { isErrorScenario } from './error-callback.js';
import type { Job } from './jobs.js';
import type { Service } from './service.js';

/** What comes of a decision at the wallet: the presentation that the service passes on, or an error. */
export function walletReply(service: Service, job: Job, id: ScenarioId): WalletReply {
  if (isErrorScenario(id)) return errorReply(job, id);
  const fault = isFault(id) ? id : undefined;
  return {
    id,
    body: async () => {
      const presentation = await present(service, job, fault);
      return new URLSearchParams({ presentation, state: stateOf(job) });
    },
  };
}

async function present(service: Service, job: Job, fault: PlantedFault | undefined): Promise<string> {
  const { request, person } = job;
  if (request.issuer !== germanIssuer) return await service.sandboxIssuer.present({ request, person, fault });
  if (request.derived?.nationality !== undefined) return await stateDerived(service, job, fault);
  return await showCard(service, job, fault);
}

/** What comes back with an answer: of a wallet that of its request. */
const stateOf = ({ request: { state, wallet } }: Job): string => wallet?.state ?? state;

const all = [...attributeIds.map((id) => claimNames[id][0]), 'address'];

/** Shows what is asked, of a PID that is issued for this flow alone, to a key of its own. */
async function showCard(
  { germanIssuer: issuer, clock }: Service,
  { request, person }: Job,
  fault: PlantedFault | undefined,
): Promise<string> {
  const { publicKey, privateKey } = newKeys();
  const { wallet } = request;
  const asked: readonly ClaimPath[] = wallet?.asked ?? request.revealed.map((id) => claimNames[id]);
  const names = revealWith<string>(
    asked.map(([name]) => name ?? ''),
    all,
    fault,
  );
  const holder = await exportJWK(publicKey);
  const pid = await issuer.issue({ holder, person, fault, shown: names });
  // By whole paths: one age is a member of the claim that has all six.
  const shown = disclosuresFor(pid, [
    ...asked.filter(([name]) => names.includes(name ?? '')),
    ...names.filter((name) => !asked.some(([first]) => first === name)).map((name) => [name]),
  ]);
  const presented = [pid.credential, ...shown, ''].join('~');
  const binding = {
    nonce:
      fault === 'wrong_nonce'
        ? randomBytes(32).toString('base64url')
        : (wallet?.nonce ?? nonceOf(request.state)),
    aud:
      fault === 'wrong_audience'
        ? 'x509_san_dns:somebody-else.example'
        : (wallet?.clientId ?? sandboxProfile.audience),
    iat: Math.floor(clock().getTime() / 1000),
    sd_hash: sha256(presented),
  };
  const key = fault === 'wrong_key' ? newKeys().privateKey : privateKey;
  const header = { alg: 'ES256', typ: 'kb+jwt' };
  return presented + (await new SignJWT(binding).setProtectedHeader(header).sign(key));
}
