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
}

/** A verification of this run, from `/prove` on. */
export interface TimelineFlow {
  readonly id: string;
  readonly issuer: string;
  readonly startedAt: Date;
  scenario: ScenarioId;
  readonly messages: readonly (Message & { readonly at: Date })[];
  /** The callback as a command; only where the sandbox's own people answered. */
  curl?: string;
  add(message: Message): void;
  /** Calls back at each new message, until the returned function is called. */
  watch(tell: () => void): () => void;
}

export interface Timeline {
  /** With the id of its receipt, by which an app can link to it; one that got no further has an id of its own. */
  open(issuer: string, scenario: ScenarioId, id?: string): TimelineFlow;
  find(id: string): TimelineFlow | undefined;
  /** The newest first. */
  readonly flows: readonly TimelineFlow[];
  watch(tell: () => void): () => void;
}

const maxFlows = 100;
const maxMessages = 60;

export function createTimeline(clock: Clock): Timeline {
  const flows: TimelineFlow[] = [];
  const watchers = new Set<() => void>();
  return {
    flows,
    watch: (tell) => watching(watchers, tell),
    find: (id) => flows.find((flow) => flow.id === id),
    open(issuer, scenario, id = randomBytes(9).toString('base64url')) {
      const messages: (Message & { readonly at: Date })[] = [];
      const own = new Set<() => void>();
      const flow: TimelineFlow = {
        id,
        issuer,
        startedAt: clock(),
        scenario,
        messages,
        add(message) {
          messages.push({ ...message, at: clock() });
          if (messages.length > maxMessages) messages.shift();
          for (const tell of [...own, ...watchers]) tell();
        },
        watch: (tell) => watching(own, tell),
      };
      flows.unshift(flow);
      flows.splice(maxFlows);
      return flow;
    },
  };
}

function watching(watchers: Set<() => void>, tell: () => void): () => void {
  watchers.add(tell);
  return () => watchers.delete(tell);
}
