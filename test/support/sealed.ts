import { kitSymbol } from '../../lib/options/development.js';
import type { Kit } from '../../lib/http/context.js';

type Session = Readonly<Record<string, unknown>>;

const kitOf = (identity: object): Kit => (identity as { [kitSymbol]: () => Kit })[kitSymbol]();

const markIn = (session: Session): string =>
  (session['pidgate'] as { mark?: string } | undefined)?.mark ?? '';

/** A session in which this factory has sealed these data, of whatever form: what a test only puts there does not open. */
export function sealedSession(identity: object, data: unknown, session: Session = {}): Session {
  const { key, keptSeal } = kitOf(identity);
  const mark = markIn(session) || 'a-mark-of-a-test';
  const pidgate = { owner: 'of a test', ...(session['pidgate'] as object | undefined), mark };
  return { ...session, pidgate, [key]: keptSeal.seal(mark, JSON.stringify(data)) };
}

/** What this factory has sealed in a session, as it is printed; undefined where it does not open. */
export function openedSession(identity: object, session: Session): unknown {
  const { key, keptSeal } = kitOf(identity);
  const text = keptSeal.open(markIn(session), String(session[key]));
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

/** All that this app's factory, or another one, has sealed in the sessions that are stored, opened. */
export const openedSessions = (
  { stored, identity }: { readonly stored: () => Record<string, string>; readonly identity: object },
  factory = identity,
): string =>
  JSON.stringify(Object.values(stored()).map((text) => openedSession(factory, JSON.parse(text) as Session)));
