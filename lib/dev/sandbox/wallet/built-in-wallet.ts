import { type KeyObject, randomBytes } from 'node:crypto';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { isFault } from '../scenarios/playable.js';
import { type Job, shrink } from '../service/jobs.js';
import { noteDecision } from '../service/decision.js';
import { newId } from '../service/ids.js';
import type { Service } from '../service/service.js';
import { type WalletLink, type WalletRequest, openRequest, respond, respondError } from './wallet.js';
import type { PidAttributes } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import { newKeys } from '../issuers/certificates.js';
import type { GermanIssuer, IssuedPid } from '../issuers/german-issuer.js';
import { exportJWK, SignJWT } from '../jose.js';
import { type PlantedFault, revealWith } from '../issuers/faults.js';
import { disclosuresFor } from '../issuers/sd-jwt.js';
import { claimNames } from '../people/claims.js';
import { sha256 } from '../../../internal/sha256.js';

/** The one PIN of all the sandbox's cards. */
export const sandboxPin = '123456';

/** A request that is open in the built-in wallet. */
export interface Holding {
  readonly id: string;
  readonly job: Job;
  readonly request: WalletRequest;
  /** Whose card is shown, and shared if it is agreed to. */
  person: Readonly<PidAttributes>;
  triesLeft: number;
  /** Shared was pressed; the PIN is next. */
  agreed: boolean;
  /** What was wrong with the last PIN; what is not six digits is none, and no try. */
  lastPin?: 'wrong' | 'no_pin';
  /** Where the answer leads, once one is on its way: a form that is sent twice gives one answer. */
  answer?: Promise<string | undefined>;
  /** What came of it. */
  done?: { readonly shared: boolean };
}

export interface Holder {
  open(link: WalletLink): Promise<Holding | undefined>;
  find(id: string): Holding | undefined;
  share(holding: Holding): Promise<string | undefined>;
  refuse(holding: Holding, scenario: ScenarioId): Promise<string | undefined>;
}

const maxHoldings = 200;

const holders = new WeakMap<Service, Holder>();

/** The one wallet of a sandbox: its pages and the robot show credentials of the same batch. */
export function holderOf(service: Service): Holder {
  const known = holders.get(service) ?? createHolder(service);
  holders.set(service, known);
  return known;
}

/**
 * The built-in wallet. It speaks to the service over HTTP, as any wallet would; only the choice of the person and of
 * the scenario takes a way of its own, because no real wallet has it.
 */
function createHolder(service: Service): Holder {
  const { jobs, access, germanIssuer, clock, signal } = service;
  const open = new Map<string, Holding>();
  const take = createBatches(germanIssuer, clock);
  return {
    async open(link) {
      const { requestUri } = link;
      const job = jobs.findLeg('requestId', requestUri.split('/').at(-1) ?? '');
      const expectedUri = `${service.walletUrl}/request/${job?.leg?.requestId ?? ''}`;
      if (job === undefined || requestUri !== expectedUri) return undefined; // else this wallet would fetch from elsewhere
      const request = await openRequest(link, access.anchors, signal);
      const { person } = job;
      const holding: Holding = { id: newId(), job, request, person, triesLeft: 3, agreed: false };
      open.set(holding.id, holding);
      shrink(open, maxHoldings);
      return holding;
    },
    find: (id) => open.get(id),
    share: async (holding) =>
      await answerOnce(holding, true, async () => {
        const { job, request, person } = holding;
        noteDecision(job, true, job.scenario);
        const presentation = await presentPid(germanIssuer, take, request, person, faultOf(job), clock);
        return await respond(request, presentation, signal);
      }),
    refuse: async (holding, scenario) =>
      await answerOnce(holding, false, async () => {
        holding.job.scenario = scenario;
        noteDecision(holding.job, false, scenario);
        const error = scenario === 'declined' ? 'access_denied' : 'wallet_unavailable';
        return await respondError(holding.request, error, signal);
      }),
  };
}

/** Where the service states the answer itself, the fault is in its statement, not in what the wallet shows. */
function faultOf({ scenario, request }: Job) {
  return isFault(scenario) && request.derived?.nationality === undefined ? scenario : undefined;
}

function answerOnce(
  holding: Holding,
  shared: boolean,
  send: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const answer = async (): Promise<string | undefined> => {
    try {
      const redirectUri = await send();
      holding.done = { shared };
      return redirectUri;
    } catch (error) {
      delete holding.answer;
      throw error;
    }
  };
  holding.job.builtIn = true;
  return (holding.answer ??= answer());
}

/** A PID, and the key that it was issued to. */
export interface HeldPid {
  readonly pid: IssuedPid;
  readonly privateKey: KeyObject;
}

/** Takes a PID of somebody out of the wallet: it is shown once. */
export type TakePid = (person: Readonly<PidAttributes>) => Promise<HeldPid>;

const batchSize = 10;
const maxPeople = 20;
const lifetime = 14 * 24 * 60 * 60 * 1000;

/**
 * PIDs are issued ten at a time, each to a key of its own, and none is shown twice, so that no two verifiers can compare
 * what they saw. When all are shown, or have expired, the next ten are issued.
 */
function createBatches(issuer: GermanIssuer, clock: Clock): TakePid {
  const batches = new Map<string, { readonly until: number; readonly left: HeldPid[] }>();
  return async (person) => {
    const now = clock().getTime();
    const whose = JSON.stringify(person);
    const known = batches.get(whose);
    const next = known !== undefined && now < known.until ? known.left.pop() : undefined;
    if (next !== undefined) return next;
    const made = await issueTo(Array.from({ length: batchSize }, newKeys), issuer, person);
    const [first, ...left] = made as [HeldPid, ...HeldPid[]];
    batches.set(whose, { until: now + lifetime, left });
    shrink(batches, maxPeople);
    return first;
  };
}

async function issueTo(
  keys: readonly ReturnType<typeof newKeys>[],
  issuer: GermanIssuer,
  person: Readonly<PidAttributes>,
): Promise<HeldPid[]> {
  return await Promise.all(
    keys.map(async ({ publicKey, privateKey }) => ({
      pid: await issuer.issue({ holder: await exportJWK(publicKey), person }),
      privateKey,
    })),
  );
}

const all = [...Object.values(claimNames), 'address'];

/** Shows what the request asks for, of a PID from the batch; one with a fault is issued for this flow alone. */
async function presentPid(
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
    sd_hash: sha256(presented),
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
