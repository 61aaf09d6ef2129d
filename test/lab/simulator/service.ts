import { exchange, type Reply } from './wire.js';
import type { AppMachine } from './app.js';
import type { Delivery } from './plan.js';
import { currentMachine, outside, randomBelow, schedule, virtualNow } from './virtual.js';
import { note, say, wait, type World } from './world.js';

/** What the service knows of one verification. */
export interface Link {
  readonly number: number;
  readonly state: string;
  /** Which of the app's versions asked. */
  readonly version: number;
  readonly startedAt: number;
  /** The machine that asked has another secret than the others. */
  readonly isForgotten: boolean;
  /** How often a wallet has answered. */
  answers: number;
  /** Somebody else has opened the address that it was answered with. */
  isHandedOn: boolean;
}

export interface Service {
  readonly fetch: typeof globalThis.fetch;
  readonly links: readonly Link[];
}

/** The service: it takes a start, and hands out the address of the wallet. */
export function simulatedService(world: World): Service {
  const links: Link[] = [];
  return {
    links,
    fetch: async (_url, init) => {
      const body = init?.body as string;
      const { state } = JSON.parse(body) as { state: string };
      const version = body.includes('family_name') ? 2 : 1;
      const isForgotten =
        world.plan.secrets === 'forgotten' && currentMachine()?.name.startsWith('two') === true;
      const link = {
        number: links.length,
        state,
        version,
        startedAt: virtualNow(),
        isForgotten,
        answers: 0,
        isHandedOn: false,
      };
      const number = links.push(link) - 1;
      world.secrets.set(state, `state ${number}`);
      const most = randomBelow(4) === 0 ? 400 : 60;
      await new Promise<void>((resolve) => void schedule(5 + randomBelow(most), resolve));
      say(world, `the service takes start ${number}`);
      const reply = JSON.stringify({ success: true, redirect_url: `https://wallet.example/${number}` });
      return new Response(reply, { headers: { 'content-type': 'application/json' } });
    },
  };
}

const form = 'application/x-www-form-urlencoded';

/** Brings a callback to the app, again and again where it finds nobody; resolves to the address it was given. */
export async function bring(
  world: World,
  machines: () => readonly AppMachine[],
  fields: Readonly<Record<string, string>>,
  about: { readonly name: string; readonly delivery: Delivery; readonly machine: number },
): Promise<string | undefined> {
  const { name, delivery, machine } = about;
  const post = async (what: string, values: Readonly<Record<string, string>>, cutAfter?: number) => {
    const target = machines()[(machine + tries) % machines().length];
    if (target?.isAlive !== true) return undefined;
    say(world, `${name}: ${what} to ${target.name}`);
    const body = new URLSearchParams(values).toString();
    const headers = { 'content-type': form, 'x-request': `${name}, ${what}` };
    const sent = exchange(target, { method: 'POST', path: '/identity/callback', headers, body });
    if (cutAfter !== undefined) outside(() => schedule(cutAfter, () => sent.cut()));
    const reply = await sent.reply;
    say(world, `${name}: ${what} → ${reply?.status ?? 'nothing'}`);
    if (reply !== undefined) judgeReply(world, reply);
    return reply;
  };
  if (delivery === 'lost') return undefined;
  // A balancer leads each try to another process.
  let tries = 0;
  if (delivery === 'late') await wait(30_000);
  if (delivery === 'altered')
    await post('an altered callback', { ...fields, presentation: 'presentation|X' });
  if (delivery === 'error first') {
    await post('an error callback', { state: fields['state'] ?? '', error: 'user_cancelled' });
  }
  if (delivery === 'reply lost') await post('a callback', fields, randomBelow(60));
  const second =
    delivery === 'twice' ? wait(randomBelow(80)).then(async () => await post('a double', fields)) : undefined;
  let reply: Reply | undefined;
  for (; tries < 4; tries += 1) {
    reply = await post(tries === 0 ? 'the callback' : `the callback again (${tries})`, fields);
    if (reply !== undefined && reply.status < 500) break;
    await wait(2_000);
  }
  await second;
  if (delivery === 'slow') await wait(5_000);
  if (reply?.status !== 200) return undefined;
  const address = (JSON.parse(reply.body) as { redirect_uri: string }).redirect_uri;
  const secret = /code=[\w-]+\.([\w-]+)/.exec(address)?.[1];
  if (secret !== undefined) world.secrets.set(secret, 'code');
  return address;
}

/** I9, of callbacks. */
function judgeReply(world: World, { status, headers, body }: Reply): void {
  world.told.push({ where: 'the reply to a callback', text: body.replace(/code=[\w.-]+/, '') });
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  const members = Object.keys(JSON.parse(body || '{}') as object).join(' ');
  const isAllowed =
    status === 200
      ? members === 'redirect_uri'
      : [400, 503].includes(status) && members === 'error error_description';
  if (!isAllowed || !type.startsWith('application/json')) {
    note(world, 'I9', `a callback is answered ${status} ${type} with ${members || 'nothing'}`);
  }
}
