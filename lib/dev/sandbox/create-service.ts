import { setTimeout as sleep } from 'node:timers/promises';
import { createAccess } from './issuers/access.js';
import { createGermanIssuer } from './issuers/german-issuer.js';
import { createSandboxIssuer } from './issuers/sandbox-issuer.js';
import type { AnySandboxOptions } from './options.js';
import { choosePerson } from './people/choose.js';
import { codeOf, createTimeline, nameOf, type TimelineFlow } from './timeline/timeline.js';
import { germanIssuer, germanSandboxTrust, sandboxTrust } from './profile.js';
import type { SandboxAccounts } from './service/accounts.js';
import { createAnswers } from './service/answers.js';
import { createJobs } from './service/jobs.js';
import { createJudge } from './service/judge.js';
import { createKnownApp } from './service/known-app.js';
import { sendCallback } from './service/send.js';
import type { Service } from './service/service.js';
import { createRequestTaker } from './service/take-request.js';

const marks = { verified: '✓', refused: '✗', declined: '·', waiting: '…', expired: '…' } as const;

/** How a flow ended, in a line. The reason, where there is one, begins with a space. */
function endOf(flow: TimelineFlow, why: string): string {
  const { state, judged } = flow;
  // The app tells its check later than this line is written; its timeline has it.
  const isRefused = state === 'refused' && judged !== undefined && why === '';
  const by = isRefused ? ` by ${judged.failed ?? 'your app alone'}` : '';
  return `${marks[state]} ${nameOf(flow)} ${state}${by}${why}`;
}

/** How it ended where the app tells of it: a no of the app looks like a no. */
function releaseOf(flow: TimelineFlow): string {
  const { kept, stopped } = flow.told;
  const line = endOf(flow, '');
  return stopped === undefined
    ? `${line}${kept === undefined ? '' : ` ${kept}`}`
    : `${line}, and ended by ${stopped}`;
}

/** Makes the keys, certificates and memory of one run. */
export async function createSandboxService(
  url: string,
  options: AnySandboxOptions & Pick<Service, 'clock'>,
  accounts: SandboxAccounts,
  signal: AbortSignal,
): Promise<Service> {
  const { clock, variant = 'derived', log = () => {}, person: whose = 'erika' } = options;
  const person = choosePerson(whose, clock(), 'createSandbox: person');
  const german = createGermanIssuer(url, variant, clock);
  const access = options.role === 'wallet' ? await createAccess(clock()) : undefined;
  const ofService = {
    'xx-sandbox': sandboxTrust(url),
    'de-ausweis': germanSandboxTrust(url, german.anchors),
  };
  const { derivedBy: _, keyBinding: __, ...card } = ofService['de-ausweis'];
  const trust = access === undefined ? ofService : { 'de-ausweis': card };
  const bound = access && {
    'de-ausweis': { ...card, keyBinding: { nonce: 'state-sha256', audience: access.clientId } as const },
  };
  const judge = createJudge(bound ?? trust, { clock, variant });
  const outage = { keys: 0 };
  const runtime = {
    fetch: options.fetch ?? globalThis.fetch,
    wait:
      options.wait ??
      (async (ms: number, until: AbortSignal) => await sleep(ms, undefined, { signal: until })),
    timeout: options.timeout ?? 20_000,
    signal,
  };
  const logEnd = (flow: TimelineFlow, line: string): void => {
    if (!flow.robot) log(`${line}  ${url}/timeline/${codeOf(flow) ?? flow.id}`);
  };
  const service: Service = {
    url,
    variant,
    clock,
    accounts,
    jobs: createJobs(clock),
    answers: createAnswers(async (job, to, body) => {
      const tell = (flow: TimelineFlow, why: string): void => {
        // Of a good proof an app in development tells more when the browser is back.
        const isToldLater = flow.state === 'verified' && flow.told.flow !== undefined;
        if (!isToldLater) logEnd(flow, endOf(flow, why));
      };
      return await sendCallback(job, to, body, runtime, { outage, tell, judge });
    }),
    timeline: createTimeline(
      clock,
      (flow, by) => {
        const why = by === undefined ? '' : ` by ${by}`;
        logEnd(flow, flow.state === 'verified' ? releaseOf(flow) : endOf(flow, why));
      },
      access && germanIssuer,
    ),
    app: createKnownApp(),
    sandboxIssuer: await createSandboxIssuer(url, variant, clock),
    germanIssuer: german,
    trust,
    access,
    takeRequest: createRequestTaker(() => service),
    async issuePids({ holders, person: other }) {
      const whose =
        other === undefined ? service.upcoming.person : choosePerson(other, clock(), 'issuePids: person');
      const pids = await Promise.all(holders.map((holder) => german.issue({ holder, person: whose })));
      return pids.map(({ credential, disclosures }) =>
        [credential, ...disclosures.map(({ text }) => text), ''].join('~'),
      );
    },
    upcoming: { scenario: undefined, robot: false, person },
    outage,
    signal,
    log,
  };
  return service;
}
