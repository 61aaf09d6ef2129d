import { explain, type ReplyOutcome } from './reply.js';
import { errorCodes, isKitErrorCode } from '../../../errors.js';
import { isProveErrorCode, proveErrors } from '../../../service/prove/errors.js';
import { type DeliveryRuntime, deliver } from './deliver.js';
import type { Job } from './jobs.js';
import type { Judge } from './judge.js';
import { closeAnswer } from '../wallet/wallet.js';
import { playCallback } from './callback-scenarios.js';
import { isErrorScenario } from './error-callback.js';
import { maskUrl, namesIn } from '../timeline/mask.js';
import { type Message, type Outcome, type TimelineFault, type TimelineFlow } from '../timeline/timeline.js';

/** What a delivery needs of the sandbox. */
interface Sending {
  readonly outage: { keys: number };
  /** Tells how a flow ended; the reason begins with a space. */
  readonly tell: (flow: TimelineFlow, why: string) => void;
  readonly judge: Judge;
}

/** Sends the callback of a job as its scenario wants, and tells timeline and log. */
export async function sendCallback(
  job: Job,
  url: string,
  body: string,
  runtime: DeliveryRuntime,
  { outage, tell, judge }: Sending,
): Promise<ReplyOutcome> {
  const { flow, scenario, request } = job;
  const { wallet } = request;
  flow.scenario = scenario; // the wallet may have chosen another one
  flow.shared = namesIn(body);
  const away = scenario === 'keys_unreachable' ? 1 : 0;
  outage.keys += away;
  const judging = judge(job, body).catch(() => undefined); // whatever it meets, the callback is sent
  try {
    const outcome = await playCallback(scenario, body, wallet?.state ?? request.state, async (text, how) => {
      return await deliver(
        {
          url,
          body: wallet === undefined ? text : await closeAnswer(wallet, new URLSearchParams(text)),
          by: wallet === undefined ? 'service' : 'wallet',
          slow: how?.slow === true,
          record: (message, it) => {
            flow.add({ ...message, fault: faultOf(it) });
          },
        },
        runtime,
      );
    });
    flow.judged = await judging;
    if (!outcome.ok && outcome.problem.kind === 'lost') flow.add(lost(url, outcome));
    if (outcome.ok && outcome.redirectUri !== undefined) flow.add(sentBack(outcome.redirectUri));
    const ended = outcomeOf(outcome, job);
    if (ended !== undefined) flow.end(ended);
    const failure = outcome.ok ? '' : ` (${explain(outcome.problem).title})`;
    tell(flow, failure);
    return outcome;
  } finally {
    outage.keys -= away;
  }
}

/** A callback that never left is a step too. */
function lost(url: string, outcome: ReplyOutcome): Message {
  return {
    what: 'callback',
    from: 'service',
    to: 'app',
    line: `POST ${maskUrl(url)}, which does not arrive`,
    fault: faultOf(outcome),
  };
}

/** What the browser is told to do next; the app's answer to it is not seen from here. */
function sentBack(redirectUri: string): Message {
  return { what: 'return', from: 'browser', to: 'app', line: `GET ${maskUrl(redirectUri)}` };
}

const declines: readonly string[] = ['declined', 'not_shared'];

/** What the app made of the callback; nothing where none was sent. */
function outcomeOf(outcome: ReplyOutcome, { flow, scenario }: Job): Outcome | undefined {
  if (!outcome.ok) return outcome.problem.kind === 'lost' ? undefined : 'refused';
  if (outcome.redirectUri === undefined) {
    // The page that shows the code goes on, and not this wallet: what was sent tells how it ended.
    if (isErrorScenario(scenario)) return 'declined';
    return flow.judged?.reason === undefined && scenario !== 'foreign_state' ? 'verified' : 'refused';
  }
  const code = codeIn(outcome.redirectUri);
  if (code === undefined) return 'verified';
  return declines.includes(code) ? 'declined' : 'refused';
}

function codeIn(redirectUri: string | undefined): string | undefined {
  if (redirectUri === undefined) return undefined;
  return new URL(redirectUri).searchParams.get('error') ?? undefined;
}

/** What a developer should know of a reply: also one of 200 may lead to an error page. A plain decline is no fault. */
function faultOf(outcome: ReplyOutcome): TimelineFault | undefined {
  if (!outcome.ok) {
    const { happened, fix } = explain(outcome.problem);
    return { happened, fix };
  }
  const code = codeIn(outcome.redirectUri) ?? '';
  const sentence = isKitErrorCode(code)
    ? errorCodes[code]
    : isProveErrorCode(code)
      ? proveErrors[code].sentence
      : undefined;
  if (sentence === undefined || declines.includes(code)) return undefined;
  return {
    happened: `The app refused it with ${code}: ${sentence}`,
    fix: 'The likely causes and the fix:',
    code,
  };
}
