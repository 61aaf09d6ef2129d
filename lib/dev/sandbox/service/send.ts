import { explain } from '../pages/problem-texts.js';
import { errorCodes, isKitErrorCode } from '../../../errors.js';
import { type DeliveryRuntime, deliver } from './deliver.js';
import type { Job } from './jobs.js';
import { playCallback } from './callback-scenarios.js';
import type { ReplyOutcome } from './reply.js';
import { maskUrl } from '../timeline/mask.js';
import type { TimelineFault, Message } from '../timeline/timeline.js';

/** Sends the callback of a job as its scenario wants, and tells timeline and log. */
export async function sendCallback(
  { flow, scenario, request }: Job,
  url: string,
  body: string,
  runtime: DeliveryRuntime,
  { outage, log }: { readonly outage: { keys: number }; readonly log: (line: string) => void },
): Promise<ReplyOutcome> {
  flow.scenario = scenario; // the wallet may have chosen another one
  const away = scenario === 'keys_unreachable' ? 1 : 0;
  outage.keys += away;
  try {
    const outcome = await playCallback(scenario, body, request.state, async (text, how) => {
      return await deliver(
        {
          url,
          body: text,
          slow: how?.slow === true,
          record: (message, it) => {
            flow.add({ ...message, fault: faultOf(it) });
          },
        },
        runtime,
      );
    });
    if (outcome.ok) flow.add(sentBack(outcome.redirectUri));
    log(outcome.ok ? 'callback 200' : `callback failed: ${explain(outcome.problem).title}`);
    return outcome;
  } finally {
    outage.keys -= away;
  }
}

/** What the browser is told to do next; the app's answer to it is not seen from here. */
function sentBack(redirectUri: string): Message {
  return { what: 'return', from: 'browser', to: 'app', line: `GET ${maskUrl(redirectUri)}` };
}

/** What a developer should know of a reply: also one of 200 may lead to an error page. */
function faultOf(outcome: ReplyOutcome): TimelineFault | undefined {
  if (!outcome.ok) {
    const { happened, fix } = explain(outcome.problem);
    return { happened, fix };
  }
  const code = new URL(outcome.redirectUri).searchParams.get('error') ?? '';
  if (!isKitErrorCode(code)) return undefined;
  return {
    happened: `The app refused it with ${code}: ${errorCodes[code]}`,
    fix: `docs/errors/${code}.md tells the likely causes and what to do.`,
  };
}
