import type { RequestHandler } from 'express';
import { configInvalid } from '../../errors.js';
import { type Kit, whyNoQuestion } from '../../http/context.js';
import { knownOptions } from '../../internal/validate.js';
import { kitSymbol, sandboxIssuer } from '../../options/development.js';
import { memberPlace } from '../../options/questions.js';
import { onlyInDevelopment } from '../only-development.js';

/** What a test wants the guard to see. */
export interface VerifiedAs {
  /** What `identity.of(req)?.kept` is. Required if the question has `keep` and `allow`. */
  readonly kept?: unknown;
  /** The name of the question. Default: the question without a name. */
  readonly question?: string;
  /** When the verification was; default now. For tests of `maxAge`. */
  readonly verifiedAt?: Date;
}

const optionNames = ['kept', 'question', 'verifiedAt'] as const satisfies readonly (keyof VerifiedAs)[];

/**
 * Returns middleware that makes every request count as verified, for one question of one factory. `allow` of the question
 * and `allow` and `maxAge` of the guards still apply: if the question has `allow`, `kept` is what that judges. In a test, put
 * it in front of your finished app. It throws unless NODE_ENV is `development`, `test` or unset.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import { identityVerification } from 'pidgate'
 * import { asVerified } from 'pidgate/testing'
 *
 * const identity = identityVerification({ reveal: ['given_name'] })
 * const app = express().get('/club', identity.require(), (req, res) => res.json(identity.of(req)?.kept))
 * const open = express().use(asVerified(identity, { kept: { name: 'Erika' } })).use(app)
 * ```
 */
export function asVerified(identity: object, options: VerifiedAs = {}): RequestHandler {
  onlyInDevelopment('asVerified opens every guard');
  knownOptions(options, optionNames, 'asVerified');
  const kit = (identity as { readonly [kitSymbol]?: () => Kit })[kitSymbol]?.();
  if (kit === undefined)
    throw configInvalid('asVerified: the first argument must be what identityVerification returned.');
  const { kept, question = 'default', verifiedAt = new Date() } = options;
  const asked = kit.config.questions.get(question);
  if (asked === undefined) throw configInvalid(`asVerified: ${whyNoQuestion(kit, question)}`);
  if (asked.allow !== undefined && asked.keep !== undefined && kept === undefined) {
    throw configInvalid(
      `asVerified: kept is missing. ${memberPlace(asked, 'allow')} judges what keep returns, so write what it would return, such ` +
        'as asVerified(identity, { kept: { adult: true } }).',
    );
  }
  if (!(verifiedAt instanceof Date) || Number.isNaN(verifiedAt.getTime())) {
    throw configInvalid('asVerified: verifiedAt must be a valid Date.');
  }
  const marks = marksFor(kit);
  return (req, _res, next) => {
    marks.set(req, { ...marks.get(req), [question]: { kept, verifiedAt } });
    next();
  };
}

/** What requests are marked with, by the name of the question. */
type Marks = WeakMap<object, Readonly<Record<string, { readonly kept: unknown; readonly verifiedAt: Date }>>>;

const marksByKit = new WeakMap<Kit, Marks>();

/** Has the guards of a factory look for a mark first, from the first call on. */
function marksFor(kit: Kit): Marks {
  const known = marksByKit.get(kit);
  if (known !== undefined) return known;
  const marks: Marks = new WeakMap();
  const { findKept } = kit;
  const receipt = { id: 'made-up-by-asVerified', number: '0000-0000' };
  kit.findKept = (_kit, req, question, now) => {
    const mark = marks.get(req)?.[question.name];
    if (mark === undefined) return findKept(kit, req, question, now);
    return { identity: { issuer: sandboxIssuer, sandbox: true, receipt, ...mark } };
  };
  marksByKit.set(kit, marks);
  return marks;
}
