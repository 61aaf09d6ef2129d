import { kitError } from '../errors.js';
import { ignoreRejection } from '../internal/ignore-rejection.js';
import type { AppRequest } from '../options/options.js';
import { memberPlace, type ResolvedQuestion } from '../options/questions.js';
import type { Kit } from './context.js';

// Verified and allowed are two things. The rule of a question stands in the question, so that no place which reads what was
// kept can forget it.

/** The rules that run at this moment. A rule is synchronous, so whoever asks while it runs is the rule itself. */
const running = new Map<ResolvedQuestion, { asksItself: boolean }>();

/** Whether what was kept of a question meets the question's own rule. Without a rule it does. */
export function meetsRule(kit: Kit, req: AppRequest, question: ResolvedQuestion, kept: unknown): boolean {
  const { allow } = question;
  if (allow === undefined) return true;
  const outer = running.get(question);
  if (outer !== undefined) {
    outer.asksItself = true;
    return false;
  }
  const place = memberPlace(question, 'allow');
  const run = { asksItself: false };
  running.set(question, run);
  try {
    const isMet = isAllowed(kit, place, kept, () => allow(kept as never, req));
    if (!run.asksItself) return isMet;
  } finally {
    running.delete(question);
  }
  kit.log.once(
    `${place} asks identity.of for its own question, which waits for that very answer. ${getsKept} ${denied}`,
  );
  return false;
}

const getsKept =
  'It gets what keep returned (undefined without keep), and the request: allow: (kept, req) => ….';
const denied = 'Access was denied.';

/** Only `true` lets a request through. A function that throws, or decides later, does not. */
export function isAllowed({ log }: Kit, place: string, kept: unknown, allow: () => unknown): boolean {
  try {
    const allowed = allow();
    if (typeof allowed === 'boolean') return allowed;
    ignoreRejection(allowed);
    const members = Object.keys(typeof kept === 'object' ? (kept ?? {}) : {}).join(', ');
    log.once(
      `${place} must return a boolean synchronously. ${getsKept} ${denied}`,
      `it returned ${typeof allowed}, and this session's kept has ${members || 'no member'}`,
    );
  } catch (cause) {
    log.fault(kitError('hook_failed', { message: `${place} failed. ${getsKept}`, cause }));
  }
  return false;
}
