import type { AppMachine } from './app.js';
import type { FlowEngine } from './engines.js';
import type { Link } from './service.js';
import type { SessionEngine } from './sessions.js';
import type { World } from './world.js';

/** One browser, with what its person has seen in it. */
export interface Browser {
  readonly name: string;
  readonly owner: 'A' | 'M';
  cookie: string | undefined;
  /** When it forgets the cookie. */
  cookieEnds: number;
  /** Verifications that it has started, the newest last, and of which it knows the wallet's address. */
  readonly links: Link[];
  readonly flowIds: string[];
  /** Returns that it was sent to. */
  readonly returns: Return[];
  /** Every page that it has opened. */
  readonly history: string[];
  /** Its last log-out that reaches the session it has. */
  loggedOut:
    { readonly session: string | undefined; readonly began: number; readonly ended: number } | undefined;
  /** When `forget` was last asked for, with a cookie, and answered, while nothing else was under way at either moment. */
  forgotten: { readonly began: number; readonly ended: number };
  /** The receipt that its session has of each question. */
  kept: ReadonlyMap<string, string>;
  /** Why it may lose what it has begun, or what it has: the person's own doing, or the app's. */
  excuse: string | undefined;
  /** How often a return has given it a new session. */
  releases: number;
  /** The session that the last one has given it. */
  released: string | undefined;
  busy: number;
  /** How many requests it has sent. */
  sent: number;
  /** Its cookie was taken from another browser. */
  hasCopy: boolean;
  /** Another browser has or had its cookie, or its line broke at a return: it may have lost its session by that. */
  mayHaveLost: boolean;
}

export interface Return {
  readonly address: string;
  /** Of which start. */
  readonly link: number;
}

export interface Town {
  readonly world: World;
  readonly machines: () => readonly AppMachine[];
  readonly flows: FlowEngine;
  readonly sessions: SessionEngine;
  readonly links: readonly Link[];
  readonly browsers: readonly Browser[];
}

export const newBrowsers = (): Browser[] =>
  (['A', 'A', 'M', 'M'] as const).map((owner, at) => ({
    name: `${owner === 'A' ? 'alice' : 'mallory'}${(at % 2) + 1}`,
    owner,
    cookie: undefined,
    cookieEnds: Infinity,
    links: [],
    flowIds: [],
    returns: [],
    history: [],
    loggedOut: undefined,
    forgotten: { began: -Infinity, ended: -Infinity },
    kept: new Map(),
    excuse: undefined,
    releases: 0,
    released: undefined,
    busy: 0,
    sent: 0,
    hasCopy: false,
    mayHaveLost: false,
  }));

export const sessionIdOf = ({ cookie }: Pick<Browser, 'cookie'>): string | undefined =>
  cookie === undefined ? undefined : /^s:([^.]+)\./.exec(decodeURIComponent(cookie))?.[1];
