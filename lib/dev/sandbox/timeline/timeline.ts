import { randomBytes } from 'node:crypto';
import { readSupportCode, supportCodeOf } from '../../../internal/support-code.js';
import type { Clock } from '../../../types/json.js';
import type { CheckLine } from '../../inspect/report.js';
import type { AppNews } from '../join.js';
import type { ScenarioId } from '../scenarios/catalogue.js';

/** One HTTP message and its answer, masked before it gets here; or what a person does at the wallet. */
export interface Message {
  readonly what: string;
  readonly from: 'browser' | 'app' | 'service' | 'wallet' | 'person';
  readonly to: 'browser' | 'app' | 'service' | 'wallet';
  /** Method and address, or a sentence. */
  readonly line: string;
  readonly sent?: TimelinePart;
  readonly status?: number | undefined;
  readonly received?: TimelinePart | undefined;
  /** What went wrong, and what to do. */
  readonly fault?: TimelineFault | undefined;
}

export interface TimelinePart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface TimelineFault {
  readonly happened: string;
  readonly fix: string;
  /** The error code whose page says more. */
  readonly code?: string;
}

/** What the sandbox's own verifier makes of the presentation that it sent. */
export interface Judged {
  readonly checks: readonly CheckLine[];
  /** The check that failed, and why; absent where all passed. */
  readonly failed?: string;
  readonly reason?: string;
}

/** What the app tells of a flow, where it runs in development with this sandbox. */
export interface Told {
  /** The flow's public id, which is in the app's addresses and log. */
  flow?: string;
  /** The name of the question; `default` without one. */
  question?: string;
  /** What is asked for, by the app's own names: an age is asked of a service as a date of birth. */
  asks?: readonly string[];
  /** The last refusal of a callback. */
  refusal?: { readonly code: string; readonly check: string | undefined };
  /** The app has taken the proof for good. */
  accepted?: true;
  /** The app has released the result. */
  confirmed?: true;
  /** Why it did not, when the browser was back. */
  stopped?: string;
  /** What it stores, as JSON without its values. */
  kept?: string;
}

/** How a verification ended, as far as the service sees it. */
export type Outcome = 'verified' | 'declined' | 'refused';

/** The same, or why it has not. */
export type FlowState = Outcome | 'expired' | 'waiting';

/** A verification of this run, from `/prove` on. */
export interface TimelineFlow {
  readonly id: string;
  readonly issuer: string;
  readonly startedAt: Date;
  scenario: ScenarioId;
  /** The ids of what the app asks for; nothing where the request was refused. */
  readonly asked: readonly string[];
  readonly messages: readonly (Message & { readonly at: Date })[];
  readonly told: Readonly<Told>;
  /** The robot plays it. */
  robot: boolean;
  /** The stop of the tour that it is. */
  stop: string | undefined;
  /** A wallet that is not the sandbox's has answered, so only what the app tells is known. */
  readonly elsewhere: boolean;
  /** The page of the service or the wallet, where somebody can go on while it waits. */
  page: string | undefined;
  judged: Judged | undefined;
  /** The names of what the last callback from here disclosed; undefined before it, nothing where it reported an error. */
  shared: readonly string[] | undefined;
  /** Milliseconds from the callback that shared it to the release; undefined before. */
  readonly held: number | undefined;
  add(message: Message): void;
  /** A later delivery of the callback may end it anew. */
  end(outcome: Outcome): void;
  readonly state: FlowState;
  /** Milliseconds from its start to its end, or to now. */
  readonly duration: number;
  /** Another one whenever something has changed. */
  readonly version: string;
  changed(): void;
  /** Calls back at each change, until the returned function is called. */
  watch(tell: () => void): () => void;
}

export interface Timeline {
  /** With the id of its receipt, by which an app can link to it; one that got no further has an id of its own. */
  open(issuer: string, scenario: ScenarioId, asked?: readonly string[], id?: string): TimelineFlow;
  /** By the id of its receipt, or by the flow's support code or public id. */
  find(id: string): TimelineFlow | undefined;
  /** Takes what an app tells of a flow, also before the flow begins here. */
  hear(news: AppNews): void;
  /** The newest first. */
  readonly flows: readonly TimelineFlow[];
  /** Another one whenever a flow has changed. */
  readonly version: string;
  watch(tell: () => void): () => void;
}

/** Milliseconds that a wallet has to answer: less than an app waits (10 minutes), so that the app still hears of the end. */
export const requestLifetime = 9 * 60 * 1000;

const maxFlows = 100;
const maxMessages = 60;
const maxTold = 300;

/**
 * `tellEnd` hears of a flow when the app has released its result, or has not, when the browser was back; and with `by`, the
 * check or code, when the app has refused what another wallet answered. That can be only with `otherWallets`, which names
 * their issuer.
 */
export function createTimeline(
  clock: Clock,
  tellEnd: (flow: TimelineFlow, by?: string) => void = () => {},
  otherWallets?: string,
): Timeline {
  const flows: TimelineFlow[] = [];
  const watchers = new Set<() => void>();
  /** By the id of the receipt. */
  const allTold = new Map<string, Told>();
  let changes = 0;
  const timeline: Timeline = {
    flows,
    get version() {
      return `${changes}${flows.filter(({ state }) => state === 'waiting').length}`;
    },
    watch: (tell) => watching(watchers, tell),
    find(id) {
      const code = readSupportCode(id);
      return flows.find(
        (flow) => [flow.id, flow.told.flow].includes(id) || (code !== undefined && codeOf(flow) === code),
      );
    },
    hear(news) {
      const told = toldOf(news);
      if (told === undefined) return;
      const { confirmed: wasConfirmed, stopped: wasStopped } = told;
      note(told, news);
      const flow = flows.find((it) => it.told === told) ?? openElsewhere(told, news);
      flow?.changed();
      if (flow === undefined) return;
      hearElsewhere(flow, news);
      if (told.confirmed !== wasConfirmed) flow.add(released);
      const isOver = told.confirmed !== wasConfirmed || (told.stopped ?? wasStopped) !== wasStopped;
      if (isOver && flow.state === 'verified') tellEnd(flow);
    },
    open(issuer, scenario, asked = [], id = randomBytes(9).toString('base64url')) {
      const messages: (Message & { readonly at: Date })[] = [];
      const flowWatchers = new Set<() => void>();
      const startedAt = clock();
      const told = toldAbout(id);
      let ended: { readonly outcome: Outcome; readonly at: Date } | undefined;
      let judged: Judged | undefined;
      let shared: { readonly names: readonly string[]; readonly at: Date } | undefined;
      let version = 0;
      const age = (): number => clock().getTime() - startedAt.getTime();
      const flow: TimelineFlow = {
        id,
        issuer,
        startedAt,
        scenario,
        asked: told.asks ?? asked,
        messages,
        told,
        get elsewhere() {
          return messages.some(({ what }) => what === answeredElsewhere.what);
        },
        get shared() {
          return shared?.names;
        },
        set shared(names) {
          shared = names && { names, at: clock() };
        },
        get held() {
          const release = messages.find(({ what }) => what === released.what);
          return release && shared && release.at.getTime() - shared.at.getTime();
        },
        robot: false,
        stop: undefined,
        page: undefined,
        add(message) {
          messages.push({ ...message, at: clock() });
          if (messages.length > maxMessages) messages.shift();
          flow.changed();
        },
        end(outcome) {
          ended = { outcome, at: clock() };
          flow.changed();
        },
        get judged() {
          return judged;
        },
        set judged(verdict) {
          judged = verdict;
          flow.changed();
        },
        get state() {
          return ended?.outcome ?? (age() < requestLifetime ? 'waiting' : 'expired');
        },
        get duration() {
          return ended === undefined
            ? Math.min(age(), requestLifetime)
            : ended.at.getTime() - startedAt.getTime();
        },
        get version() {
          return `${version}${flow.state}`;
        },
        changed() {
          version += 1;
          changes += 1;
          for (const tell of [...flowWatchers, ...watchers]) tell();
        },
        watch: (tell) => watching(flowWatchers, tell),
      };
      flows.unshift(flow);
      for (const { id: oldest } of flows.splice(maxFlows)) allTold.delete(oldest);
      return flow;
    },
  };
  return timeline;

  /** A verification whose request the sandbox's own wallet has not opened begins here with its end. */
  function openElsewhere(told: Told, news: AppNews): TimelineFlow | undefined {
    const [id] = [...allTold].find(([, it]) => it === told) ?? [];
    if (otherWallets === undefined || outcomeIn(news) === undefined) return undefined;
    return timeline.open(otherWallets, 'approve', [], id);
  }

  function hearElsewhere(flow: TimelineFlow, news: AppNews): void {
    const outcome = outcomeIn(news);
    const isOurs = otherWallets === undefined || flow.shared !== undefined;
    if (news.type !== 'event' || outcome === undefined || isOurs || flow.state === 'verified') return;
    const { event, code, check } = news;
    flow.add(event === 'flow.failed' && outcome === 'declined' ? cancelled : answeredElsewhere);
    flow.end(outcome);
    if (outcome !== 'verified') tellEnd(flow, outcome === 'refused' ? (check ?? code) : undefined);
  }

  function toldAbout(receipt: string): Told {
    const told = allTold.get(receipt) ?? {};
    allTold.set(receipt, told);
    const [oldest] = allTold.keys();
    if (allTold.size > maxTold && oldest !== undefined) allTold.delete(oldest);
    return told;
  }

  function toldOf(news: AppNews): Told | undefined {
    if (news.type === 'flow' || news.type === 'kept') return toldAbout(news.receipt);
    return news.type === 'event' ? [...allTold.values()].find(({ flow }) => flow === news.flow) : undefined;
  }
}

const answeredElsewhere: Message = {
  what: 'other wallet',
  from: 'wallet',
  to: 'app',
  line: 'A wallet that is not part of the sandbox answered. Its messages are not seen here.',
};

const cancelled: Message = {
  what: 'cancel',
  from: 'browser',
  to: 'app',
  line: 'The person cancelled on the page of the app.',
};

/** How an app says that a verification has ended. */
function outcomeIn(news: AppNews): Outcome | undefined {
  if (news.type !== 'event') return undefined;
  const { event, code = '' } = news;
  if (event === 'flow.verified' || event === 'flow.confirmed') return 'verified';
  if (!['callback.refused', 'flow.failed', 'hook.failed'].includes(event)) return undefined;
  return code === 'declined' || code === 'not_shared' ? 'declined' : 'refused';
}

const released: Message = {
  what: 'released',
  from: 'app',
  to: 'browser',
  line: 'The session has what is stored, and the browser goes on.',
};

function note(told: Told, news: AppNews): void {
  if (news.type === 'flow') {
    const { flow, question, asks } = news;
    Object.assign(told, { flow, question, asks });
  }
  if (news.type === 'kept') told.kept = JSON.stringify(news.kept);
  if (news.type !== 'event') return;
  if (news.event === 'flow.confirmed') {
    told.confirmed = true;
    delete told.stopped;
  }
  if (['flow.failed', 'return.refused', 'hook.failed'].includes(news.event)) told.stopped = news.code ?? '';
  if (news.event === 'flow.verified') {
    told.accepted = true;
    delete told.refusal;
  }
  if (news.event === 'callback.refused') told.refusal = { code: news.code ?? '', check: news.check };
}

/** The name of the question; of one without a name, what it asks for. */
export function nameOf({ asked, told }: TimelineFlow): string {
  const { question = 'default' } = told;
  if (question !== 'default' && question !== '') return question;
  return asked.length === 0 ? 'not understood' : asked.join(', ');
}

/** The check that refused the proof: the app's, if it has told one, for its trust entry may be another. */
export const stoppedBy = ({ state, told, judged }: TimelineFlow): string | undefined =>
  state === 'refused' ? (told.refusal?.check ?? judged?.failed) : undefined;

/** The support code, where the app tells of the flow. */
export const codeOf = ({ told: { flow } }: TimelineFlow): string | undefined =>
  flow === undefined ? undefined : supportCodeOf(flow);

/** A duration as people read it. */
export function formatElapsed(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 1) return `${ms} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

function watching(watchers: Set<() => void>, tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
