import { receiptId } from '../../../service/receipt.js';
import { agesAmong } from '../people/claims.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { whyNotPlayable } from '../scenarios/playable.js';
import { maskUrl } from '../timeline/mask.js';
import type { TimelineFlow } from '../timeline/timeline.js';
import type { Job, JobRequest } from './jobs.js';
import type { Service } from './service.js';

/** What a verification begins with: its place in the timeline, what is planned, and what the app tells of itself. */
export interface Begun {
  readonly flow: TimelineFlow;
  readonly scenario: ScenarioId;
  readonly app: Job['app'];
}

export function begin({ upcoming, timeline, app }: Service, request: JobRequest): Begun {
  const { scenario: planned = 'approve' } = upcoming;
  const scenario = whyNotPlayable(planned, request) === undefined ? planned : 'approve';
  const ages = agesAmong(request.wallet?.asked).map((years) => `age_over_${years}`);
  const asked = [...request.revealed, ...ages, ...Object.keys(request.derived ?? {}).map((id) => `${id}?`)];
  const flow = timeline.open(request.issuer, scenario, asked, receiptId(request.state));
  flow.robot = upcoming.robot;
  upcoming.robot = false;
  upcoming.scenario = undefined;
  const question = app.questionOf(flow.told.question);
  if (question !== undefined) {
    flow.add({ what: 'start', from: 'browser', to: 'app', line: `POST ${maskUrl(question.url)}` });
  }
  return { flow, scenario, app: { name: question && app.name, purposes: question?.purposes ?? {} } };
}

/** Opens the page on which the person decides. */
export function openJob(service: Service, account: Job['account'], request: JobRequest, begun: Begun): Job {
  const { jobs, upcoming, url } = service;
  const job = jobs.open({ account, request, person: upcoming.person, ...begun });
  begun.flow.page = `${url}/wallet/${job.id}`;
  return job;
}
