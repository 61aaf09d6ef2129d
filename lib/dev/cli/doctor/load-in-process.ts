import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Kit } from '../../../http/context.js';
import { kitSymbol } from '../../../options/development.js';
import type { Configuration } from '../../../options/resolve.js';
import type { SecondProcess } from './second-process.js';
import type { HttpAnswer, HttpQuestion } from './http.js';
import type { SessionFacts } from '../../../set-up/facts.js';
import { type SendRequest, type SessionRequest, sessionFacts } from './session-facts.js';

/** What only the process of the app shows. */
export interface Inside {
  readonly config: Configuration | undefined;
  /** Types of the events that the doctor's questions have caused. */
  readonly events: string[];
  readonly trustsProxy: boolean;
  /** What Express says of a request that the proxy says came over https. */
  readonly secure: boolean;
  readonly session: SessionFacts | undefined;
  /** A session cookie of another process of this app; undefined where none was started. */
  readonly otherCookie: string | undefined;
  /** Whether it and this one open each other's flows; undefined where that is not known. */
  readonly sharesSecret: boolean | undefined;
  listen(): { stop(): void };
}

/** A request as Express has made it. */
interface AppRequest extends SessionRequest {
  readonly app?: App;
  readonly secure?: boolean;
}

interface App {
  get(name: string): unknown;
  readonly router?: Stack;
  readonly _router?: Stack;
}

interface Stack {
  readonly stack?: readonly { readonly handle?: Stack }[];
  readonly [kitSymbol]?: () => Kit;
}

type At = (path: string, question?: HttpQuestion) => Promise<HttpAnswer>;

/** Sends a request to the app in this process, and returns it as the app has left it, with the answer. */
async function captureRequest(
  at: At,
  headers: Readonly<Record<string, string>> = {},
  prepare: (request: SessionRequest) => void = () => undefined,
): Promise<{ readonly request: AppRequest | undefined; readonly answer: HttpAnswer }> {
  const path = `/pidgate-doctor-${randomUUID()}`;
  let captured: AppRequest | undefined;
  const notice = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.url !== path) return;
    captured = request as AppRequest;
    prepare(captured);
  };
  subscribe('http.server.request.start', notice);
  try {
    const answer = await at(path, { headers: { accept: 'application/json', ...headers } });
    return { request: captured, answer };
  } finally {
    unsubscribe('http.server.request.start', notice);
  }
}

/** Finds the app and the kit in it. */
export async function enter(at: At, other?: SecondProcess): Promise<Inside> {
  const { request } = await captureRequest(at);
  const app = request?.app;
  // Express 4 has a getter `router` that throws.
  const config = configIn(app?._router ?? app?.router);
  const events: string[] = [];
  const note = (event: unknown): void => void events.push((event as { type: string }).type);
  return {
    config,
    events,
    trustsProxy: Boolean(app?.get('trust proxy')),
    secure: request?.secure === true,
    session: undefined,
    otherCookie: other?.cookie,
    sharesSecret: other?.shares(config?.secrets ?? []),
    listen() {
      subscribe('pidgate', note);
      return { stop: () => unsubscribe('pidgate', note) };
    },
  };
}

export async function lookInside(inside: Inside, at: At): Promise<Inside> {
  const send: SendRequest = async (headers, prepare) => await captureRequest(at, headers, prepare);
  const { request } = await captureRequest(at);
  return {
    ...inside,
    secure: request?.secure === true,
    session: await sessionFacts(send, inside.otherCookie),
  };
}

/** The kit's router may be in a router of the app's, or in an app below. */
function configIn(router: Stack | undefined): Configuration | undefined {
  for (const { handle } of router?.stack ?? []) {
    const config = handle && (handle[kitSymbol]?.().config ?? configIn(handle));
    if (config !== undefined) return config;
  }
  return undefined;
}
