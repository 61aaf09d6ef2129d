import type { AppRequest } from '../options/options.js';
import type { ResolvedQuestion } from '../options/questions.js';
import { publicPath, type Exchange } from './context.js';
import type { KnownResult } from './pages/error-page.js';

/** When the result was made that the session still has of this question. */
export function verifiedAtOf({ kit, req }: Exchange, question: ResolvedQuestion): Date | undefined {
  const { session } = req as AppRequest & { session?: object | null };
  if (!Object.hasOwn(session ?? {}, kit.key) || kit.config.confirm === 'callback') return undefined;
  return kit.findKept(kit, req, question, kit.config.clock().getTime())?.verifiedAt;
}

/**
 * A result that still counts, and where a verification would have ended: nobody need verify again. Where a page has its
 * reason to ask, the result is not enough for it.
 */
export function knownResult(
  exchange: Exchange,
  name: string | undefined,
  { returnTo, reason }: { readonly returnTo?: string | undefined; readonly reason?: string | undefined } = {},
): KnownResult | undefined {
  const { kit, req } = exchange;
  const question = kit.config.questions.get(name ?? '');
  if (question === undefined || reason !== undefined) return undefined;
  const verifiedAt = verifiedAtOf(exchange, question);
  if (verifiedAt === undefined) return undefined;
  return { verifiedAt, onward: publicPath(kit, req, returnTo ?? question.successRedirect) };
}
