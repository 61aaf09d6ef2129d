import { configInvalid } from '../../../errors.js';
import type { PidAttributes } from '../../../types/attributes.js';
import type { Way } from '../../../types/ways.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { isErrorScenario } from '../service/error-callback.js';
import { noteDecision } from '../service/decision.js';
import type { Job } from '../service/jobs.js';
import type { ReplyOutcome } from '../service/reply.js';
import { walletReply } from '../service/present.js';
import type { Service } from '../service/service.js';
import { WalletRefusal } from '../wallet/wallet.js';
import { type Agent, type Seen, createAgent } from './browser.js';

/** How a verification went, from the start to the last page. */
export interface Walk {
  /** The answer to the start. */
  readonly start: Seen;
  /** The flow reached this sandbox. */
  readonly job?: Job;
  /** What came of the callback. */
  readonly outcome?: ReplyOutcome;
  /** The last page that the browser saw. */
  readonly last: Seen;
  /** The error code that the app showed on the way. */
  readonly error?: string | undefined;
  /** The browser that came back in place of the first. */
  readonly other?: Agent;
  /** The origin of a way back that does not lead into the app. It was not opened. */
  readonly elsewhere?: string;
}

export interface WalkPlan {
  readonly start: string;
  readonly scenario: ScenarioId;
  readonly person?: Readonly<PidAttributes> | undefined;
  /** The overview puts its flows aside. */
  readonly robot?: boolean;
  /** How an app that asks wallets itself is answered; by default as its page offers first. */
  readonly way?: Way | undefined;
}

/** How the code of a callback begins that got no usable reply, and none with a code of its own. */
export const callbackFailed = 'callback_';

/** Walks the whole way of a verification, as a browser and a wallet would. */
export async function walk(service: Service, agent: Agent, plan: WalkPlan): Promise<Walk> {
  const { scenario, person } = plan;
  service.upcoming.scenario = scenario;
  service.upcoming.robot = plan.robot === true;
  const start = await agent.post(plan.start);
  const page = service.access === undefined ? undefined : await agent.follow(start);
  const job = page === undefined ? jobAt(service, start.location) : await jobBehind(service, page, plan.way);
  if (job === undefined) {
    service.upcoming.scenario = undefined;
    service.upcoming.robot = false;
    const last = page ?? (await agent.follow(start));
    return { start, last, error: errorIn(last) };
  }
  if (person !== undefined) job.person = person;
  const outcome = await answer(service, job);
  if (!outcome.ok) {
    const error = 'text' in outcome.problem ? errorInJson(outcome.problem.text) : undefined;
    return { start, job, outcome, last: start, error: error ?? `${callbackFailed}${outcome.problem.kind}` };
  }
  if (outcome.redirectUri === undefined)
    return { start, job, outcome, ...(await goesOn(agent, page ?? start)) };
  const elsewhere = new URL(outcome.redirectUri).origin;
  if (elsewhere !== agent.origin) {
    return { start, job, outcome, last: start, error: 'return_to_other_origin', elsewhere };
  }
  const other = scenario === 'return_other_browser' ? createAgent(agent.origin) : undefined;
  const browser = other ?? agent;
  const returned = await followReturn(browser, outcome.redirectUri);
  const last = scenario === 'return_twice' ? await followReturn(browser, outcome.redirectUri) : returned;
  const error = errorIn(last) ?? errorInAddress(outcome.redirectUri);
  return { start, job, outcome, last, error, ...(other !== undefined && { other }) };
}

function jobAt({ url, jobs }: Service, location: string | undefined): Job | undefined {
  const page = `${url}/wallet/`;
  return location?.startsWith(page) === true ? jobs.find(location.slice(page.length)) : undefined;
}

/** Opens the request to which a link of the app's page leads: its first link, or the one around its code. */
async function jobBehind(service: Service, { text }: Seen, way: Way | undefined): Promise<Job | undefined> {
  const links = [...text.matchAll(/href="(http:[^"]*\/wallet\?client_id=[^"]*)"/g)].map(
    ([, link = '']) => new URL(link.replaceAll('&amp;', '&')),
  );
  const isBy = (one: Way) => (link: URL) => link.searchParams.get('request_uri')?.endsWith(`.${one}`);
  const link =
    way === undefined ? (links.find(isBy('link')) ?? links.find(isBy('code'))) : links.find(isBy(way));
  if (link?.origin !== service.url) return undefined;
  try {
    return await service.takeRequest(link.searchParams);
  } catch (error) {
    throw error instanceof WalletRefusal ? configInvalid(`The wallet stops: ${error.message}`) : error;
  }
}

/** The page that shows a code asks its own address, and goes on where an answer was accepted. */
async function goesOn(agent: Agent, { url }: Seen): Promise<Pick<Walk, 'last' | 'error'>> {
  const { text } = await agent.get(url, { headers: { accept: 'application/json' } });
  const last = await agent.follow(await agent.get(url));
  return { last, error: errorIn(last) ?? /\(([a-z][a-z0-9_]+)\)/.exec(text)?.[1] };
}

async function answer(service: Service, job: Job): Promise<ReplyOutcome> {
  noteDecision(job, !isErrorScenario(job.planned), job.planned);
  await service.answers.take(job, walletReply(service, job, job.planned));
  const { outcome } = job.answer ?? {};
  if (outcome !== undefined) return outcome;
  throw configInvalid(
    'The sandbox has no Redirect URL, so no callback could be sent. Set redirectUrl to the address of the callback route.',
  );
}

async function followReturn(agent: Agent, redirectUri: string): Promise<Seen> {
  return await agent.follow(await agent.get(redirectUri));
}

/** The code that a page of the app shows: in its address, its JSON, or as the kit's pages do. */
export function errorIn({ url, text, response }: Seen): string | undefined {
  const inAddress = errorInAddress(url);
  if (inAddress !== undefined || response.status < 400) return inAddress;
  return errorInJson(text) ?? /<code[^>]*>([a-z][a-z0-9_]{1,63})<\/code>/.exec(text)?.[1] ?? 'unknown';
}

function errorInAddress(url: string): string | undefined {
  return new URL(url).searchParams.get('error') ?? undefined;
}

function errorInJson(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    // Other words are the app's own, and name no page.
    return typeof error === 'string' && /^[a-z][a-z0-9_]{1,63}$/.test(error) ? error : undefined;
  } catch {
    return undefined;
  }
}
