import { configInvalid } from '../errors.js';
import { invalid } from '../internal/validate.js';
import type { IdentityService, Asked } from '../service/contract.js';
import { asksForAges, type ClaimPaths } from '../types/attributes.js';
import type { SdJwtVcTrust } from '../types/trust.js';
import type { Question } from './ask.js';
import type { Way } from '../types/ways.js';
import type { AppRequest, CheckedOptions } from './options.js';

/** One question with its name, checked, with everything filled in. */
export interface ResolvedQuestion extends Asked, Pick<Question, 'purpose' | 'reasons' | 'keep' | 'otherWay'> {
  readonly keptAs: readonly string[] | undefined;
  readonly allow: ((kept: never, req: AppRequest) => unknown) | undefined;
  /** Milliseconds, at most. */
  readonly keepFor: number;
  /** How long what is kept of one result counts. */
  readonly keepForKept: ((kept: never) => unknown) | undefined;
  readonly successRedirect: string;
  /** By which a wallet that the app asks itself may answer. */
  readonly ways: readonly Way[];
  /** Whether the ages themselves are asked for, and the date of birth only of a wallet that has none. */
  readonly asksForAges: boolean;
}

/** How messages name a member of a question. */
export const memberPlace = ({ name }: Pick<ResolvedQuestion, 'name'>, member: string): string =>
  name === 'default' ? `Option ${member}` : `Option questions.${name}.${member}`;

const eightHours = 8 * 60 * 60 * 1000;
const defaultWays: readonly Way[] = Object.freeze(['link', 'code'] as const);

/** Returns all questions by name; the one at the top of the options is named `default`. */
export function resolveQuestions(
  options: CheckedOptions,
  issuer: string,
  service: Pick<IdentityService, 'whyNotSupported'>,
  asksWallets: boolean,
): ReadonlyMap<string, ResolvedQuestion> {
  const {
    reveal,
    questions: named = {},
    keepFor = eightHours,
    successRedirect = '/',
    ways = defaultWays,
  } = options;
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
      if (why !== undefined) throw invalid(memberPlace({ name }, 'derived'), why);
      if (question.ways !== undefined && !asksWallets) {
        throw invalid(memberPlace({ name }, 'ways'), waysAreOfWallets);
      }
      const kept = question.keepFor ?? keepFor;
      const { purpose, reasons, keptAs, keep, allow, otherWay } = question;
      const configuration: ResolvedQuestion = {
        name,
        ...asked,
        purpose,
        reasons,
        keptAs,
        keep,
        allow,
        otherWay,
        keepFor: typeof kept === 'number' ? kept : kept.atMost,
        keepForKept: typeof kept === 'number' ? undefined : kept.for,
        successRedirect: question.successRedirect ?? successRedirect,
        ways: question.ways ?? ways,
        asksForAges: asksWallets && asksForAges(asked.reveal, claimsOf(options.trust?.[asked.issuer])),
      };
      return [name, Object.freeze(configuration)];
    }),
  );
}

/** The claims of a trust entry, which is checked later. */
const claimsOf = (entry: unknown): ClaimPaths =>
  Object((entry as Partial<SdJwtVcTrust> | undefined)?.claims) as ClaimPaths;

/** What an app that asks a service is told. */
export const waysAreOfWallets = 'is for apps that ask wallets themselves; of a service, set sameDevice';

/** What an app that asks wallets itself is told. */
export const sameDeviceIsOfService = 'is a hint for a service; wallets are asked by ways';

function refuseRestOfQuestion(options: CheckedOptions): void {
  const name = (['derived', 'purpose', 'reasons', 'keptAs', 'keep', 'allow', 'otherWay'] as const).find(
    (member) => options[member] !== undefined,
  );
  if (name === undefined) return;
  throw configInvalid(
    `Option ${name}: belongs to a question, and without reveal there is none at the top. Set reveal, or move ${name} ` +
      'into ask.',
  );
}
