import type { ScenarioId } from '../scenarios/catalogue.js';
import { isFault } from '../scenarios/playable.js';
import { type Job, shrink } from '../service/jobs.js';
import { newId } from '../service/ids.js';
import type { Service } from '../service/service.js';
import { createBatches } from './batches.js';
import { presentPid } from './present.js';
import { type WalletLink, type WalletRequest, openRequest, respond, respondError } from './wallet.js';

/** The one PIN of all the sandbox's cards. */
export const sandboxPin = '123456';

/** A request that is open in the built-in wallet. */
export interface Holding {
  readonly id: string;
  readonly job: Job;
  readonly request: WalletRequest;
  triesLeft: number;
  /** Shared was pressed; the PIN is next. */
  agreed: boolean;
  /** What came of it. */
  done?: { readonly shared: boolean; readonly redirectUri: string | undefined };
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
      const own = `${service.walletUrl}/request/${job?.leg?.requestId ?? ''}`;
      if (job === undefined || requestUri !== own) return undefined; // else this wallet would fetch from elsewhere
      const request = await openRequest(link, access.anchors, signal);
      const holding: Holding = { id: newId(), job, request, triesLeft: 3, agreed: false };
      open.set(holding.id, holding);
      shrink(open, maxHoldings);
      return holding;
    },
    find: (id) => open.get(id),
    async share(holding) {
      const { job, request } = holding;
      job.builtIn = true;
      const presentation = await presentPid(germanIssuer, take, request, job.person, faultOf(job), clock);
      return settle(holding, true, await respond(request, presentation, signal));
    },
    async refuse(holding, scenario) {
      holding.job.builtIn = true;
      holding.job.scenario = scenario;
      const error = scenario === 'declined' ? 'access_denied' : 'wallet_unavailable';
      return settle(holding, false, await respondError(holding.request, error, signal));
    },
  };
}

/** Where the service states the answer itself, the fault is in its statement, not in what the wallet shows. */
function faultOf({ scenario, request }: Job) {
  return isFault(scenario) && request.derived?.nationality === undefined ? scenario : undefined;
}

function settle(holding: Holding, shared: boolean, redirectUri: string | undefined): string | undefined {
  holding.done = { shared, redirectUri };
  return redirectUri;
}
