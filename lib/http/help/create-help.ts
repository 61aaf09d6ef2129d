import { type IdentityError, sentenceOf } from '../../errors.js';
import { rememberLast } from '../../internal/remember-last.js';
import { supportCodeOf } from '../../internal/support-code.js';
import { nearMiss } from '../../internal/validate.js';
import type { AppRequest } from '../../options/options.js';
import type { Configuration } from '../../options/resolve.js';
import { unknownState } from '../notice.js';
import { watchOptions, watched } from './app-errors.js';
import { type Help, silentHelp } from './help.js';
import type { OfApp } from './set-up.js';

type Told = Pick<Configuration, 'mode' | 'sandboxUrl'> & OfApp;

export const createHelp = (config: Told): Help =>
  config.mode === 'development' ? developersHelp(config) : silentHelp;

/** The secret of the factory that was made first. */
let firstSecret: string | undefined;

const maxFlows = 64;

function developersHelp(config: Told): Help {
  const { sandboxUrl } = config;
  const lastFaults = new Map<string, { readonly code: string; readonly sentence: string }>();
  const explainedAt = (code: string): string =>
    sandboxUrl === undefined ? silentHelp.explainedAt(code) : `${sandboxUrl}/errors/${code}`;
  const setUpMistakes: Help['setUpMistakes'] = async (req) =>
    (await import('./set-up.js')).findSetUpMistakes(req, config);
  return {
    watchOptions,
    watch: watched,
    isOtherSecret: (secret) => (firstSecret ??= secret) !== secret,

    tell: (log, sentence) => log.once(sentence),
    detail: (detail) => (detail ? ` (${detail})` : ''),
    wordsOf(error, code, flow) {
      const sentence = sentenceOf(error);
      if (flow !== undefined) {
        const timeline =
          sandboxUrl === undefined
            ? ''
            : ` Every step and check: ${sandboxUrl}/timeline/${supportCodeOf(flow)}.`;
        rememberLast(lastFaults, flow, { code, sentence: sentence + timeline }, maxFlows);
      }
      return { sentence, thrown: thrownClass(error) };
    },
    explainedAt,
    nearMiss,

    sawAdmitted(log, kept, req) {
      const [no] = Object.entries(Object(kept) as object).find(([, value]) => value === false) ?? [];
      if (no !== undefined) log.once(withoutAllow(no, req));
    },

    hintsFor: (error) => [`${sentenceOf(error)} See ${explainedAt(error.docs.replace(/.*#/, ''))}`],
    setUpMistakes,
    async whyRefused(req, why, concernsSession) {
      const mistakes = concernsSession ? await setUpMistakes(req) : [];
      return mistakes.length > 0 ? mistakes : [why];
    },
    whyFailed(code, flows) {
      if (code === 'state_unknown') return [unknownState];
      const told = flows
        .map((flow) => (flow === undefined ? undefined : lastFaults.get(flow)))
        .findLast((fault) => fault?.code === code);
      return told === undefined ? [] : [`${told.sentence} See pidgate/docs/errors.md#${code}.`];
    },
  };
}

/** The route as the app wrote it: an address may be personal. */
function withoutAllow(no: string, { baseUrl, route }: AppRequest): string {
  const { path = '' } = (route ?? {}) as { path?: unknown };
  const where = baseUrl + (typeof path === 'string' ? path : '');
  return (
    `Neither the question nor the guard of ${where || 'a page'} has allow, so it admitted somebody whose kept ${no} is false. ` +
    `If that should not be, write allow: (kept) => kept.${no} after keep in the question, or for this page alone ` +
    `identity.require({ allow: (kept) => kept.${no} }).`
  );
}

/** Only the name of the class: an error's message may be personal. */
function thrownClass({ cause }: IdentityError): string {
  // Anything can be thrown, also an object without a class.
  const { constructor } = (cause ?? {}) as { constructor?: unknown };
  if (typeof cause !== 'object' || typeof constructor !== 'function') return '';
  const { name }: { name: unknown } = constructor;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? ` It threw ${name}.` : '';
}
