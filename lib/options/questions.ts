import { configInvalid } from '../errors.js';
import { invalid } from '../internal/validate.js';
import type { IdentityService, Asked } from '../service/contract.js';
import type { Question } from './ask.js';
import type { CheckedOptions } from './options.js';

/** One question with its name, checked, with everything filled in. */
export interface ResolvedQuestion extends Asked, Pick<Question, 'purpose' | 'reasons' | 'keep' | 'otherWay'> {
  readonly keptAs: readonly string[] | undefined;
  /** Milliseconds, at most. */
  readonly keepFor: number;
  /** How long what is kept of one result counts. */
  readonly keepForKept: ((kept: never) => unknown) | undefined;
  readonly successRedirect: string;
}

const eightHours = 8 * 60 * 60 * 1000;

/** Returns all questions by name; the one at the top of the options is named `default`. */
export function resolveQuestions(
  options: CheckedOptions,
  issuer: string,
  service: Pick<IdentityService, 'whyNotSupported'>,
): ReadonlyMap<string, ResolvedQuestion> {
  const { reveal, questions: named = {}, keepFor = eightHours, successRedirect = '/' } = options;
  if (reveal === undefined) refuseRestOfQuestion(options);
  const questions = Object.entries({ ...(reveal && { default: { ...options, reveal } }), ...named });
  if (questions.length === 0) {
    throw configInvalid(
      'Option reveal is missing: name the attributes to ask for, or set questions, each made by ask.',
    );
  }
  return new Map(
    questions.map(([name, question]) => {
      const asked = {
        issuer: question.issuer ?? issuer,
        reveal: Object.freeze(question.reveal),
        derived: Object.freeze(question.derived ?? {}) as Asked['derived'],
      };
      const why = service.whyNotSupported(asked);
      const place = name === 'default' ? 'Option derived' : `Option questions.${name}.derived`;
      if (why !== undefined) throw invalid(place, why);
      const kept = question.keepFor ?? keepFor;
      const { purpose, reasons, keptAs, keep, otherWay } = question;
      const configuration: ResolvedQuestion = {
        name,
        ...asked,
        purpose,
        reasons,
        keptAs,
        keep,
        otherWay,
        keepFor: typeof kept === 'number' ? kept : kept.atMost,
        keepForKept: typeof kept === 'number' ? undefined : kept.for,
        successRedirect: question.successRedirect ?? successRedirect,
      };
      return [name, Object.freeze(configuration)];
    }),
  );
}

function refuseRestOfQuestion(options: CheckedOptions): void {
  const name = (['derived', 'purpose', 'reasons', 'keptAs', 'keep', 'otherWay'] as const).find(
    (member) => options[member] !== undefined,
  );
  if (name === undefined) return;
  throw configInvalid(
    `Option ${name}: belongs to a question, and without reveal there is none at the top. Set reveal, or move ${name} ` +
      'into ask.',
  );
}
