import { type IdentityError, sentenceOf } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import type { Configuration } from '../../options/resolve.js';
import type { Log } from '../../types/events.js';

/** What a developer is told beyond what visitors and operators are. Outside of development it is silent. */
export interface Help {
  /** Returns options whose functions show in the terminal what they throw. */
  watchOptions(config: Configuration): Configuration;
  /** The same for a function that is not an option of the factory. */
  watch<F>(name: string, fn: F): F;
  /** Whether another factory of this process has another secret. */
  isOtherSecret(secret: string): boolean;

  /** Writes a sentence into the log, once. */
  tell(log: Log, sentence: string): void;
  /** A detail that follows a sentence in parentheses, or nothing. */
  detail(detail: string | undefined): string;
  /** What the log says of an error, and of what was thrown. Of a flow, the page that shows the same code says it too. */
  wordsOf(error: IdentityError, code: string, flow?: string): { sentence: string; thrown: string };
  /** Where a code is explained. */
  explainedAt(code: string): string;
  /** The known name that was probably meant. */
  nearMiss(name: string, known: readonly string[]): string | undefined;

  /** A guard admits somebody with this, and neither it nor its question has `allow`. */
  sawAdmitted(log: Log, kept: unknown, req: AppRequest): void;

  /** What a page says of an error. */
  hintsFor(error: IdentityError): string[];
  /** Mistakes in session, cookie and proxy that this request shows. */
  setUpMistakes(req: AppRequest): Promise<string[]>;
  /** Why a return was refused: a mistake in the set-up, where one is seen, explains it better. */
  whyRefused(req: AppRequest, why: string, concernsSession: boolean): Promise<string[]>;
  /** What was logged last of one of these flows, if it had this code. */
  whyFailed(code: string, flows: readonly (string | undefined)[]): string[];
}

export const silentHelp: Help = {
  watchOptions: (config) => config,
  watch: (_name, fn) => fn,
  isOtherSecret: () => false,
  tell() {},
  detail: () => '',
  wordsOf: (error) => ({ sentence: hideAddresses(sentenceOf(error)), thrown: '' }),
  explainedAt: (code) => `npx pidgate explain ${code}`,
  nearMiss: () => undefined,
  sawAdmitted() {},
  hintsFor: () => [],
  setUpMistakes: async () => await Promise.resolve([]),
  whyRefused: async () => await Promise.resolve([]),
  whyFailed: () => [],
};

/** An address may contain personal data in its path or query. One in backticks is the app's own, of a trust entry. */
const hideAddresses = (sentence: string): string =>
  sentence.replace(/(?<!`)\b[a-z][a-z0-9+.-]*:\/\/[^\s,;()]*[^\s,;().]/gi, '(address)');
