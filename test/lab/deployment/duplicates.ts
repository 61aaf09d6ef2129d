import { receiptFor } from '../../../lib/service/receipt.js';
import { endsWithin } from '../deadline.js';
import type { AppProcess } from './app-process.js';
import { type Reply, deliver, newPerson } from './person.js';
import { present } from './wallet.js';

/** What came of one flow whose callback and whose return were sent to two processes at the same moment. */
export interface Duplicated {
  readonly flow: string;
  readonly receipt: string;
  readonly replies: readonly Reply[];
  /** The reply of each process to one more delivery, when all was over. */
  readonly later: readonly Reply[];
  /** Where the two returns ended, as status and address. */
  readonly returns: readonly string[];
  readonly status: unknown;
  readonly kept: unknown;
}

const deliveriesToEach = 4;

/** Started at one of the two; four deliveries and one return to each of them, each time all at once. */
async function duplicatedFlow(one: AppProcess, two: AppProcess): Promise<Duplicated> {
  const person = newPerson();
  const { state, flow } = await person.start(one);
  const presentation = present(state);
  const form = { state, presentation };
  const targets = Array.from({ length: deliveriesToEach }, () => [one, two]).flat();
  const replies = await Promise.all(targets.map(async (target) => await deliver(target, form)));
  const redirectUri = replies.find(({ status }) => status === 200)?.redirectUri ?? '';
  const shown = await Promise.all(
    [one, two].map(async (target) => await person.comeBack(target, redirectUri)),
  );
  return {
    flow,
    receipt: receiptFor(state, presentation).id,
    replies,
    later: [await deliver(one, form), await deliver(two, form)],
    returns: shown.map(({ status, location }) => `${status} ${location}`),
    status: await person.statusOf(two, flow),
    kept: await person.kept(one),
  };
}

/** What should not have come of these flows; each is told by its public name. */
export async function faultsOf(
  all: readonly Duplicated[],
  processes: readonly AppProcess[],
): Promise<string[]> {
  const [ran, told] = await Promise.all([
    Promise.all(processes.map(async (it) => await it.hooks())),
    Promise.all(processes.map(async (it) => await it.events())),
  ]);
  const hooks = countOf(ran.flat().map(({ hook, receipt }) => `${hook} ${receipt}`));
  const events = countOf(told.flat().map(({ event, flow }) => `${event} ${flow}`));
  return all.flatMap(({ flow, receipt, replies, later, returns, status, kept }) => {
    const good = [...replies, ...later].filter((reply) => reply.status === 200);
    const others = replies.filter((reply) => reply.status !== 200);
    const wrong = {
      'a hook did not run once': ['onVerified', 'onSuccess'].some(
        (hook) => hooks[`${hook} ${receipt}`] !== 1,
      ),
      'an event was not told once': ['started', 'verified', 'confirmed'].some(
        (event) => events[`flow.${event} ${flow}`] !== 1,
      ),
      'another event was told': events[`flow.failed ${flow}`] !== undefined,
      'the replies differ': new Set(good.map(({ redirectUri }) => redirectUri)).size !== 1,
      'the redelivery was not answered': later.some((reply) => reply.status !== 200),
      'neither 200 nor 503 with Retry-After': others.some((it) => it.status !== 503 || it.retryAfter !== '1'),
      // One that comes when the other has just ended the session is shown the page "start again".
      'no way into the app': !returns.includes('303 https://app.example/'),
      'not confirmed': status !== 'confirmed',
      'nothing kept': kept !== 'Erika',
    };
    return Object.entries(wrong).flatMap(([what, holds]) => (holds ? [`${flow}: ${what}`] : []));
  });
}

function countOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/** Many of them, a few at a time. */
export async function duplicatedFlows(
  count: number,
  one: AppProcess,
  two: AppProcess,
): Promise<readonly Duplicated[]> {
  const done: Duplicated[] = [];
  let left = count;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const flow = left % 2 === 0 ? duplicatedFlow(one, two) : duplicatedFlow(two, one);
      done.push(await endsWithin(longest, flow, () => `a flow, with ${left} to come`));
    }
  };
  await Promise.all(Array.from({ length: flowsAtOnce }, work));
  return done;
}

const flowsAtOnce = 8;

/** Many times what a flow needs. */
const longest = 120_000;
