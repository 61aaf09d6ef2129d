import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../types/json.js';
import type { ScenarioId } from '../scenarios/catalogue.js';

/** One HTTP message and its answer, masked before it gets here. */
export interface Message {
  readonly what: 'prove' | 'request' | 'response' | 'callback' | 'return';
  readonly from: string;
  readonly to: string;
  /** Method and address. */
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
  /** The callback as a command; only where the sandbox's own people answered. */
  curl?: string;
  add(message: Message): void;
  /** A later delivery of the callback may end it anew. */
  end(outcome: Outcome): void;
  readonly state: FlowState;
  /** Milliseconds from its start to its end, or to now. */
  readonly duration: number;
  /** Calls back at each new message, until the returned function is called. */
  watch(tell: () => void): () => void;
}

export interface Timeline {
  /** With the id of its receipt, by which an app can link to it; one that got no further has an id of its own. */
  open(issuer: string, scenario: ScenarioId, asked?: readonly string[], id?: string): TimelineFlow;
  find(id: string): TimelineFlow | undefined;
  /** The newest first. */
  readonly flows: readonly TimelineFlow[];
  watch(tell: () => void): () => void;
}

/** Milliseconds that a wallet has to answer: less than an app waits (10 minutes), so that the app still hears of the end. */
export const requestLifetime = 9 * 60 * 1000;

const maxFlows = 100;
const maxMessages = 60;

export function createTimeline(clock: Clock): Timeline {
  const flows: TimelineFlow[] = [];
  const watchers = new Set<() => void>();
  return {
    flows,
    watch: (tell) => watching(watchers, tell),
    find: (id) => flows.find((flow) => flow.id === id),
    open(issuer, scenario, asked = [], id = randomBytes(9).toString('base64url')) {
      const messages: (Message & { readonly at: Date })[] = [];
      const flowWatchers = new Set<() => void>();
      const startedAt = clock();
      let ended: { readonly outcome: Outcome; readonly at: Date } | undefined;
      const age = (): number => clock().getTime() - startedAt.getTime();
      const tellAll = (): void => {
        for (const tell of [...flowWatchers, ...watchers]) tell();
      };
      const flow: TimelineFlow = {
        id,
        issuer,
        startedAt,
        scenario,
        asked,
        messages,
        add(message) {
          messages.push({ ...message, at: clock() });
          if (messages.length > maxMessages) messages.shift();
          tellAll();
        },
        end(outcome) {
          ended = { outcome, at: clock() };
          tellAll();
        },
        get state() {
          return ended?.outcome ?? (age() < requestLifetime ? 'waiting' : 'expired');
        },
        get duration() {
          return ended === undefined
            ? Math.min(age(), requestLifetime)
            : ended.at.getTime() - startedAt.getTime();
        },
        watch: (tell) => watching(flowWatchers, tell),
      };
      flows.unshift(flow);
      flows.splice(maxFlows);
      return flow;
    },
  };
}

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
