import { kitError } from '../../errors.js';
import { type ReleasableFlow, questionDigestOf } from '../../flow/flow.js';
import { lostInJson } from '../../internal/find-unserializable.js';
import { ignoreRejection } from '../../internal/ignore-rejection.js';
import { toMilliseconds } from '../../internal/timeouts.js';
import type { ResolvedQuestion } from '../../options/questions.js';
import type { Kit } from '../context.js';
import { type KeptRecord, type KitSessionData, liveKept } from './session-data.js';

/** A factory's data after a release: what is kept of the result, and where the flow led. */
export function withResult(
  { config, flow }: Kit,
  data: KitSessionData,
  { id, result, record: { reveal, derived, origin } }: ReleasableFlow,
  { kept, subject }: { readonly kept: unknown; readonly subject: string | undefined },
  destination: string,
): KitSessionData {
  const { question, issuer, sandbox, verifiedAt, receipt } = result;
  const now = config.clock().getTime();
  const live = liveKept(data, now, config.questions);
  const before = live[question];
  // A second run of the same return, after an answer that was lost, prolongs nothing.
  const releasedAt = before?.receipt.id === receipt.id ? before.releasedAt : now;
  const record: KeptRecord = {
    issuer,
    sandbox,
    verifiedAt: verifiedAt.getTime(),
    receipt: { id: receipt.id, number: receipt.number },
    kept,
    until: releasedAt + keptFor(config.questions.get(question), kept),
    releasedAt,
    asked: questionDigestOf(flow, { name: question, issuer, reveal, derived }, sandbox),
    origin,
    subject,
  };
  // Of a start that is finished nothing is left to go on with.
  const last = data.last?.id === id ? undefined : data.last;
  return { ...(last && { last }), kept: { ...live, [question]: record }, done: { id, destination } };
}

/** How long it counts: where the app decides by what is kept, on what JSON makes of that. */
function keptFor(question: ResolvedQuestion | undefined, kept: unknown): number {
  const { keepFor = 0, keepForKept } = question ?? {};
  if (keepForKept === undefined) return keepFor;
  let chosen: unknown;
  try {
    const text = JSON.stringify(kept) as string | undefined;
    chosen = keepForKept((text === undefined ? undefined : JSON.parse(text)) as never);
  } catch (cause) {
    throw kitError('hook_failed', { message: 'keepFor.for failed.', cause });
  }
  const ms = toMilliseconds(chosen);
  ignoreRejection(chosen);
  if (ms !== undefined) return Math.min(ms, keepFor);
  throw kitError('hook_failed', { message: "keepFor.for must return a duration such as '10m'." });
}

/** A value that cannot be stored is the app's mistake, reported as one; one that JSON would change is logged. */
export function checkKept({ config, log }: Kit, kept: unknown): void {
  const maxBytes = config.limits.keptBytes;
  if (jsonBytes(kept) > maxBytes) {
    const message = `keep returned more than limits.keptBytes (${maxBytes} bytes as JSON).`;
    throw kitError('hook_failed', { message });
  }
  const lost = lostInJson(kept, 'kept');
  if (lost === undefined) return;
  log.once('keep returned a value that JSON does not preserve: it is missing or empty in the session.', lost);
}

function jsonBytes(kept: unknown): number {
  try {
    return Buffer.byteLength((JSON.stringify(kept) as string | undefined) ?? '');
  } catch {
    throw kitError('hook_failed', { message: 'The value returned by keep cannot be serialized as JSON.' });
  }
}
