import { configInvalid } from '../../../errors.js';
import { isLoopback } from '../../../internal/urls.js';
import { adviceOn } from '../../../set-up/list.js';
import type { PidAttributes } from '../../../types/attributes.js';
import { agesAmong } from '../people/claims.js';
import type { JobRequest } from '../service/jobs.js';
import { type ScenarioId, scenarioIds, scenarioOf } from '../scenarios/catalogue.js';
import { checkScenario, whyNotPlayable } from '../scenarios/playable.js';
import { choosePerson } from '../people/choose.js';
import type { Service } from '../service/service.js';
import { type Agent, createAgent } from './browser.js';
import { type Ask, type DataOfPage, dataOfPage } from './data-addresses.js';
import {
  type Observed,
  type ScenarioVerdict,
  isLimited,
  isOpen,
  judgeMinor,
  judgeWalk,
  leadsTo,
} from './verdict.js';
import { type Walk, walk } from './walk.js';

/** What a scenario showed of the app. */
export interface SimulatedScenario extends ScenarioVerdict {
  readonly scenario: ScenarioId | keyof typeof otherRows;
  readonly says: string;
  readonly expected: string;
  /** Which of how many it is. */
  readonly at: number;
  readonly of: number;
  /** The flow cannot play it; `did` says why. */
  readonly leftOut?: true;
}

export interface SimulatePlan {
  /** The app, or better: a page of it that only verified people may see. */
  readonly url: string;
  /** Default all. */
  readonly scenarios?: readonly string[];
  /** The address was named twice: it may be elsewhere than on this machine. */
  readonly confirmed?: boolean;
  /** Of all scenarios, it is a failure if the page opens for a 17-year-old. Otherwise that is only noted. */
  readonly expectMinor?: 'refused' | undefined;
}

interface Target {
  readonly origin: string;
  readonly start: string;
  /** The path of a page behind the guard, where one was named. */
  readonly guarded: string | undefined;
}

/** Drives a running app through scenarios and yields what each of them showed. It ends early at a rate limiter. */
export async function* simulate(service: Service, plan: SimulatePlan): AsyncGenerator<SimulatedScenario> {
  const ids = checkPlan(plan);
  const isWhole = plan.scenarios === undefined || plan.scenarios.length === 0;
  if (!isWhole && service.access !== undefined) for (const id of ids) checkScenario(id, true);
  const target = await targetOf(service, plan);
  if (target.guarded !== undefined && isOpen(await createAgent(target.origin).get(target.guarded))) {
    yield row('guard', 1, ids.length, {
      passed: false,
      did: `${target.guarded} opens for a browser that has not verified anything.`,
      fix: adviceOn('page-open'),
    });
    return;
  }
  const data = await dataBehind(target);
  if (data.open !== undefined) {
    yield row('guard', 1, ids.length, {
      passed: false,
      did: `${data.open} hands the data of ${target.guarded} to a browser that has not verified anything.`,
      fix: adviceOn('page-data-open'),
    });
    return;
  }
  const first = await observe(service, target, 'approve');
  const { request } = first.walk.job ?? {};
  const isAskedFor = plan.scenarios?.includes('minor') === true;
  const withMinor = isAskedFor || (isWhole && target.guarded !== undefined && asksAge(request));
  const before = data.notTried === undefined ? 0 : 1;
  const of = before + ids.length + (withMinor ? 1 : 0);
  if (data.notTried !== undefined) {
    yield { ...row('guard', 1, of, { passed: true, did: `${data.notTried}.` }), leftOut: true };
  }
  if (request === undefined) {
    // Nothing hostile is sent to an app that does not ask this sandbox.
    yield row('start', 1, of, judgeWalk('approve', first));
    return;
  }
  for (const [index, id] of ids.entries()) {
    const why = whyNotPlayable(id, request);
    if (why !== undefined) {
      yield { ...row(id, index + 1 + before, of, { passed: true, did: why }), leftOut: true };
      continue;
    }
    const observed = await observe(service, target, id);
    yield row(id, index + 1 + before, of, judgeWalk(id, observed));
    if (isLimited(observed)) return;
  }
  if (!withMinor) return;
  const leon = choosePerson('minor', service.clock(), 'simulate');
  const observed = await observe(service, target, 'approve', leon);
  yield row('minor', of, of, judgeMinor(observed, plan.expectMinor === 'refused'));
}

const asksAge = (request: JobRequest | undefined): boolean =>
  request?.revealed.includes('birth_date') === true || agesAmong(request?.wallet?.asked).length > 0;

/** Asked by a browser of its own each time, which has verified nothing. */
async function dataBehind({ origin, guarded }: Target): Promise<DataOfPage> {
  if (guarded === undefined) return {};
  const ask: Ask = async (path, headers) => {
    const { response, text } = await createAgent(origin).get(path, { headers });
    return { status: response.status, headers: response.headers, text };
  };
  return await dataOfPage(guarded, ask, process.cwd());
}

async function observe(
  service: Service,
  target: Target,
  id: ScenarioId,
  person?: Readonly<PidAttributes>,
): Promise<Observed> {
  const agent = createAgent(target.origin);
  const walked = await walk(service, agent, { start: target.start, scenario: id, person, robot: true });
  const { guarded } = target;
  const browsers = [agent, ...(walked.other === undefined ? [] : [walked.other])];
  const pages =
    guarded === undefined ? [] : await Promise.all(browsers.map((browser) => browser.get(guarded)));
  return {
    walk: await again(service, agent, id, walked),
    guarded: pages.find(isOpen) ?? pages[0],
    origin: target.origin,
    sandbox: service.url,
  };
}

/** After the wrong browser came back, the right one must not get in by the same address either. */
async function again(service: Service, agent: Agent, id: ScenarioId, walked: Walk): Promise<Walk> {
  const { outcome, elsewhere } = walked;
  const back = outcome?.ok === true && elsewhere === undefined ? outcome.redirectUri : undefined;
  if (id !== 'return_other_browser' || back === undefined || service.signal.aborted) return walked;
  const seen = await agent.follow(await agent.get(back));
  return seen.response.status < 400 && walked.last.response.status >= 400
    ? { ...walked, last: seen }
    : walked;
}

/** Says what is wrong with a plan before anything is sent, and returns the scenarios that it means. */
function checkPlan({ url, scenarios = [], confirmed = false }: SimulatePlan): readonly ScenarioId[] {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw configInvalid('simulate: the address of the app must be an http or https URL.');
  }
  if (!isLoopback(new URL(url)) && !confirmed) {
    throw configInvalid('simulate: the app is not on this machine. If it is yours, give the address twice.');
  }
  return scenarios.length === 0
    ? scenarioIds
    : scenarios.filter((name) => name !== 'minor').map((id) => checkScenario(id));
}

async function targetOf(service: Service, { url }: SimulatePlan): Promise<Target> {
  const { origin, pathname, search } = new URL(url);
  const mount = mountOf(service);
  if (!triesGuard(url)) {
    return { origin, start: pathname === '/' ? `${mount}/start` : pathname + search, guarded: undefined };
  }
  const agent = createAgent(origin);
  const guarded = await withItsSlash(agent, pathname + search);
  const led = leadsTo(await agent.get(guarded));
  const start =
    led !== undefined && led.origin === origin && led.searchParams.has('returnTo')
      ? led.pathname + led.search
      : `${mount}/start?returnTo=${encodeURIComponent(pathname)}`;
  return { origin, start, guarded };
}

/** The address of a page, which express.static, say, has with a slash at its end. */
async function withItsSlash(agent: Agent, path: string): Promise<string> {
  const [page = '', query] = path.split('?', 2);
  const led = leadsTo(await agent.get(path));
  const isSame = led?.origin === agent.origin && led.pathname === `${page}/`;
  return isSame ? `${page}/${query === undefined ? '' : `?${query}`}` : path;
}

/** Whether an address is that of a page, not the app's home or its start: those are taken to be open to everyone. */
export function triesGuard(url: string): boolean {
  const { pathname } = new URL(url);
  return pathname !== '/' && !/\/start(?:\/|$)/.test(pathname);
}

/** Said where an address does not try the guard. */
export const guardNotTried =
  'A home page or a start is taken to be open to everyone: the guard is not tried. To try it, give another page.';

function mountOf({ accounts, app }: Service): string {
  const { redirectUrl } = accounts.working;
  if (redirectUrl !== undefined) return new URL(redirectUrl).pathname.replace(/\/[^/]*$/, '');
  return app.questions[0]?.start.replace(/\/start(?:\/.*)?$/, '') ?? '/identity';
}

/** What is looked at beside the scenarios: what happens, and what a good app shows. */
const otherRows = {
  guard: [
    'No one has verified anything.',
    'The page leads to the start, and its data is not served elsewhere.',
  ],
  start: ['The person starts a verification.', 'The app calls this sandbox and leads to its page.'],
  minor: ['Leon is 17, and shares his date of birth.', 'The page stays closed, if it is only for adults.'],
} as const;

function row(
  scenario: SimulatedScenario['scenario'],
  at: number,
  of: number,
  verdict: ScenarioVerdict,
): SimulatedScenario {
  if (scenario === 'guard' || scenario === 'start' || scenario === 'minor') {
    const [says, expected] = otherRows[scenario];
    return { scenario, says, expected, at, of, ...verdict };
  }
  const { says, expects } = scenarioOf(scenario);
  return { scenario, says, expected: expects, at, of, ...verdict };
}
