import { IdentityError } from '../../errors.js';
import { prefixOf } from '../../internal/urls.js';
import type { AppRequest } from '../../options/options.js';
import type { Configuration } from '../../options/resolve.js';
import type { Facts, SessionFacts } from '../../set-up/facts.js';
import { findingsIn, wordsOf } from '../../set-up/list.js';
import { trustsProxyOf } from '../context.js';
import { namesSession, sessionOf } from '../session/session.js';

// Loaded in development alone, by the first page that may have something to say.

export type OfApp = Pick<Configuration, 'flowTtl' | 'subject' | 'origins' | 'path'>;

/** Mistakes in session, cookie and proxy that a request shows. */
export const findSetUpMistakes = (req: AppRequest, config: OfApp): string[] =>
  findingsIn(factsOf(req, config)).map(wordsOf);

function factsOf(req: AppRequest, { flowTtl, subject, origins, path }: OfApp): Facts {
  const forwarded = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-for', 'forwarded'];
  const session = sessionIn(req);
  const taken = req.headers['x-forwarded-prefix'];
  return {
    paths: { mount: path, start: '', callback: '', request: '' },
    session,
    // If a proxy says https, the proxy set-up is the mistake.
    isHttps: req.secure || /^\s*https\b/i.test(String(req.headers['x-forwarded-proto'] ?? '')),
    isForwarded: forwarded.some((name) => req.headers[name] !== undefined),
    trustsProxy: trustsProxyOf(req),
    flowTtl,
    ...(typeof session === 'object' && subject === undefined && { loggedIn: loggedInOf(sessionOf(req)) }),
    ...(typeof taken === 'string' && { prefix: { taken, known: prefixOf(origins[0]) } }),
  };
}

function sessionIn(req: AppRequest): Facts['session'] {
  try {
    const { secure, sameSite, originalMaxAge: life } = sessionOf(req).cookie;
    return {
      secure: secure === true,
      sameSite: sameSite as SessionFacts['sameSite'],
      cameBack: namesSession(req),
      life: typeof life === 'number' ? life : undefined,
    };
  } catch (error) {
    if (!(error instanceof IdentityError) || error.code !== 'session_missing') return 'unsupported';
    return whyMissing(req);
  }
}

interface Stack {
  readonly stack?: readonly { readonly name?: string }[];
}

function whyMissing({ app }: AppRequest): 'missing' | 'below' | 'pathless' {
  const whole: object = app;
  const express = whole as { readonly _router?: Stack; readonly router?: Stack };
  // Express 4 has a getter `router` that throws.
  const names = ((express._router ?? express.router)?.stack ?? []).map(({ name }) => name);
  const [session, kit] = [names.indexOf('session'), names.indexOf('router')];
  if (session === -1) return 'missing';
  return kit !== -1 && session > kit ? 'below' : 'pathless';
}

/** Where apps keep who is logged in, with the line that tells pidgate. */
const logIns = {
  passport: 'req.session.passport?.user && String(req.session.passport.user)',
  userId: 'req.session.userId?.toString()',
  user: 'req.session.user?.id?.toString()',
  uid: 'req.session.uid?.toString()',
  account: 'req.session.account?.id?.toString()',
} as const;

function loggedInOf(session: Readonly<Record<string, unknown>>): string | undefined {
  const isThere = ([name]: readonly [string, string]): boolean => {
    const value = session[name];
    const who = name === 'passport' ? (Object(value) as { user?: unknown }).user : value;
    return who !== undefined && who !== null && who !== '';
  };
  return Object.entries(logIns).find(isThere)?.[1];
}
