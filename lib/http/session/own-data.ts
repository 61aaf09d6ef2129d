import { type KeptSeal, type LastStart, newMark } from '../../flow/flow.js';
import type { Kit } from '../context.js';
import {
  type DoneFlow,
  type KeptRecord,
  type KitChange,
  type KitSessionData,
  type SessionData,
  markOf,
  memberOf,
  ownerKey,
} from './session-data.js';

// One factory's data in a session: one text, sealed. express-session walks each member of a session three times in each
// request, and who reads or writes the session's store must neither read nor make what is kept.

/** Where a factory's data is in a session, and what opens it. */
type OwnPlace = Pick<Kit, 'key' | 'keptSeal' | 'log'>;

/**
 * Opens a factory's data. What does not open counts as nothing, and so does what cannot be read: another version of the kit
 * may have written it. No error quotes it.
 */
export function readOwn(session: SessionData, { key, keptSeal, log }: OwnPlace): KitSessionData {
  const sealed = memberOf(session, key);
  if (sealed === undefined) return nothing;
  const text = isText(sealed) ? textOf(session, sealed, keptSeal) : undefined;
  if (text === undefined) log.once(unopened);
  else {
    const own: unknown = JSON.parse(text);
    const [last, done] = [memberOf(own, 'last'), memberOf(own, 'done')];
    const kept = Object.entries(Object(memberOf(own, 'kept')) as object).flatMap(([question, places]) => {
      const record = recordIn(places);
      return record === undefined ? [] : [[question, record] as const];
    });
    return {
      kept: Object.fromEntries(kept),
      ...(isLast(last) && { last }),
      ...(isDone(done) && { done }),
    };
  }
  return nothing;
}

interface Opened {
  readonly by: KeptSeal;
  readonly mark: string;
  readonly sealed: string;
  readonly text: string | undefined;
}

/** What was opened last of a session, for as long as its request has it: by a guard, and again by the handler behind it. */
const opened = new WeakMap<SessionData, Opened>();

function textOf(session: SessionData, sealed: string, by: KeptSeal): string | undefined {
  const mark = markOf(session);
  const before = opened.get(session);
  // The text of one factory is nothing to another one, even where somebody has copied it.
  if (before?.by === by && before.mark === mark && before.sealed === sealed) return before.text;
  const text = by.open(mark, sealed);
  opened.set(session, { by, mark, sealed, text });
  return text;
}

const nothing: KitSessionData = { kept: {} };

const unopened =
  'What a session keeps does not open, so it counts as nothing kept: it was sealed under another secret (without the ' +
  'option secret, by a process that has ended), or changed. Give every process of the app the same option secret (or ' +
  'IDENTITY_SECRET).';

/** Puts whose session it is, and a factory's data, into a session that will be saved. */
export function putOwn(
  session: Record<string, unknown>,
  { key, keptSeal }: OwnPlace,
  { owner, own, cookieEnds }: KitChange,
): void {
  const mark = markOf(session) || newMark();
  const kept = Object.entries(own.kept).map(([question, record]) => [question, placesOf(record)] as const);
  session[ownerKey] = { owner, mark, ...(cookieEnds !== undefined && { cookieEnds }) };
  session[key] = keptSeal.seal(mark, JSON.stringify({ ...own, kept: Object.fromEntries(kept) }));
}

/** A record in places, without names: it comes with each request. What may be missing is named. */
const placesOf = ({ kept, subject, receipt, ...record }: KeptRecord) => [
  { kept, subject },
  record.issuer,
  record.sandbox,
  record.verifiedAt,
  receipt.id,
  receipt.number,
  record.until,
  record.releasedAt,
  record.asked,
  record.origin,
];

function recordIn(places: unknown): KeptRecord | undefined {
  if (!Array.isArray(places)) return undefined;
  const [more, issuer, sandbox, verifiedAt, id, number, until, releasedAt, asked, origin] =
    places as readonly unknown[];
  const [kept, subject] = [memberOf(more, 'kept'), memberOf(more, 'subject')];
  const receipt = { id, number };
  const record = { issuer, sandbox, verifiedAt, receipt, kept, until, releasedAt, asked, origin, subject };
  return isKept(record) ? record : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function isLast(value: unknown): value is LastStart {
  const optional = ['question', 'returnTo', 'reason'].map((name) => memberOf(value, name));
  const hasTexts = optional.every((text) => text === undefined || isText(text));
  return hasTexts && isText(memberOf(value, 'id')) && typeof memberOf(value, 'until') === 'number';
}

const isDone = (value: unknown): value is DoneFlow =>
  isText(memberOf(value, 'id')) && /^https?:/.test(String(memberOf(value, 'destination')));

function isKept(value: unknown): value is KeptRecord {
  const record = Object(value) as Record<keyof KeptRecord, unknown>;
  const times = [record.verifiedAt, record.until, record.releasedAt];
  return (
    times.every((time) => typeof time === 'number') &&
    [record.asked, record.origin].every(isText) &&
    isText(memberOf(record.receipt, 'id')) &&
    isText(memberOf(record.receipt, 'number'))
  );
}
