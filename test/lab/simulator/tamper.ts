import { parseRecord, printRecord, type FlowRecord } from '../../../lib/flow/record.js';
import { format, newSecret, open, recordKey, seal } from '../../../lib/flow/secrets.js';
import { ownerOf } from '../../../lib/http/session/session-data.js';
import { lockMark } from '../../../lib/types/store.js';
import { origin } from './app.js';
import type { Action } from './plan.js';
import { type Browser, sessionIdOf, type Town } from './town.js';
import { randomBelow, virtualNow } from './virtual.js';
import { say, short } from './world.js';

const path = '/identity';
const boundTo = (id: string): string => `${format} ${path} ${id}`;

/**
 * Mallory can write to the flow store, and knows how pidgate works; and of one flow of her own all that there is to know
 * of it: state, id, code, the session's id, and each record that it has had.
 */
export function tamper(town: Town, { browser, which }: Action): void {
  const { world, flows, browsers } = town;
  world.isTampered = true;
  world.mayRepeat = true;
  const mallory = browsers[2 + (browser % 2)];
  const own = mallory?.returns.findLast(({ link }) => mallory.links.some(({ number }) => number === link));
  const id = own && idOf(own.address);
  if (mallory !== undefined && id !== undefined && which < 2) {
    if (which === 0) makeUp(town, mallory, id);
    else swap(town, mallory, id);
    return;
  }
  const ids = flows.idsOf('flow');
  const locks = flows.idsOf('lock');
  const flow = ids[randomBelow(Math.max(1, ids.length))];
  const lock = locks[randomBelow(Math.max(1, locks.length))];
  const old = flow === undefined ? [] : flows.writtenAt(flow);
  const value = old[randomBelow(Math.max(1, old.length))];
  if (which % 2 === 0 && lock !== undefined) {
    say(world, `somebody takes the lock ${short(lock)} away`);
    flows.remove(lock);
  } else if (which === 3 && flow !== undefined && randomBelow(3) === 0) {
    say(world, `somebody takes the flow ${short(flow)} away`);
    flows.remove(flow);
  } else if (flow !== undefined && value !== undefined) {
    say(world, `somebody puts an old record of ${short(flow)} back`);
    flows.put(flow, value);
  }
}

const idOf = (address: string): string | undefined => /code=([\w-]+)\./.exec(address)?.[1];

/** A record with somebody else's name, under every key that she can think of. */
function makeUp({ world, flows, links }: Town, mallory: Browser, id: string): void {
  const [last = ''] = flows.writtenAt(id).slice(-1);
  const mark = last.slice(0, last.indexOf('.') + 1);
  const state = links.find(({ number }) => mallory.links.some((own) => own.number === number))?.state ?? '';
  const known = ['', path, id, state, mark, lockMark];
  const keys = known.map((secret) => recordKey(secret, path, id));
  const opened = keys
    .map((key) => open(key, boundTo(id), last.slice(mark.length)))
    .find((text) => text !== undefined);
  const record = opened === undefined ? newRecord(mallory) : parseRecord(opened);
  const code = newSecret();
  const result = {
    question: 'default',
    issuer: 'de-ausweis',
    sandbox: false,
    verifiedAt: new Date(virtualNow()),
    attributes: { given_name: 'Erika A 0 0' },
    derived: {},
    receipt: { id: 'made-up', number: '0000-0000', presentationSha256: '' },
  };
  const text = printRecord({ ...record, status: 'verified', code, result });
  const key = keys[randomBelow(keys.length)];
  const sealed = randomBelow(8) === 0 ? text : key && seal(key, boundTo(id), text);
  say(world, `somebody makes a record of ${short(id)} up`);
  flows.put(id, `${mark}${sealed}`);
  mallory.returns.push({ address: `${origin}${path}/return?code=${id}.${code}`, link: -1 });
}

/** As pidgate would write it for her session, had the flow gone well. */
function newRecord(mallory: Browser): FlowRecord {
  const owner = ownerOf({}, sessionIdOf(mallory) ?? '').digest;
  return {
    owner,
    origin,
    question: 'default',
    issuer: 'de-ausweis',
    variant: 'derived',
    status: 'pending',
    answered: [],
    startedAt: virtualNow(),
    expiresAt: virtualNow() + 300_000,
    reveal: ['given_name'],
    derived: {},
  };
}

/** The record of one flow of hers under the name of another one. */
function swap({ world, flows }: Town, mallory: Browser, id: string): void {
  const others = mallory.flowIds.filter((other) => other !== id && flows.writtenAt(other).length > 0);
  const other = others[randomBelow(Math.max(1, others.length))];
  if (other === undefined) return;
  const old = flows.writtenAt(id);
  const value = old[old.length - 1 - randomBelow(old.length)] ?? '';
  say(world, `somebody puts a record of ${short(id)} in the place of ${short(other)}`);
  flows.put(other, value);
  const secret = mallory.returns
    .find(({ address }) => idOf(address) === id)
    ?.address.split('.')
    .at(-1);
  if (secret !== undefined)
    mallory.returns.push({ address: `${origin}${path}/return?code=${other}.${secret}`, link: -1 });
}
