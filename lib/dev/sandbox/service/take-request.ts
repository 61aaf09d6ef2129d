import { readHandle } from '../../../service/wallets/handle.js';
import { attributeIds, claimNames } from '../../../types/attributes.js';
import { germanIssuer } from '../profile.js';
import { maskUrl } from '../timeline/mask.js';
import { nameOf } from '../timeline/timeline.js';
import { linkIn, openRequest } from '../wallet/wallet.js';
import { begin, openJob } from './begin.js';
import { type Job, shrink } from './jobs.js';
import type { Service } from './service.js';

/** Opens what a link of an app leads a wallet to: its request, once it is checked. A request that waits is not fetched again. */
export function createRequestTaker(service: () => Service): (query: URLSearchParams) => Promise<Job> {
  const waiting = new Map<string, Job>();
  return async (query) => {
    const { access, jobs, signal, log } = service();
    const link = linkIn(query);
    const before = waiting.get(link.requestUri);
    if (before !== undefined && before.answer === undefined && jobs.find(before.id) !== undefined)
      return before;
    const wallet = await openRequest(link, access?.anchors ?? [], signal);
    const names = wallet.asked.map(([name]) => name);
    // Of a flow of the kit, the app tells its news by the state without the way.
    const state = readHandle(wallet.state)?.state ?? wallet.state;
    const request = {
      issuer: germanIssuer,
      revealed: attributeIds.filter((id) => names.includes(claimNames[id][0])),
      state,
      same_device: true,
      wallet,
    };
    const begun = begin(service(), request);
    const { flow } = begun;
    const line = `${link.method.toUpperCase()} ${maskUrl(link.requestUri)}`;
    flow.add({ what: 'request', from: 'wallet', to: 'app', line, status: 200 });
    if (!flow.robot) log(`→ ${nameOf(flow)} begins`);
    const job = openJob(service(), { apiKey: '', redirectUrl: wallet.responseUri }, request, begun);
    waiting.set(link.requestUri, job);
    shrink(waiting, 1000);
    return job;
  };
}
