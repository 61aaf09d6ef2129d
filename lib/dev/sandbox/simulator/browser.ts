import { configInvalid } from '../../../errors.js';
import { codeOf } from '../../../internal/system-code.js';

/** What a browser got. The body has been read; `response` can be read once more. */
export interface Seen {
  readonly response: Response;
  readonly url: string;
  readonly text: string;
  /** Where it sends the browser on at once. */
  readonly location: string | undefined;
}

/** A browser for one app: it keeps cookies, names its origin, and follows what pages of the app ask for. */
export interface Agent {
  readonly origin: string;
  readonly cookies: Map<string, string>;
  /** One request for a path or an address of the app, without following anything. Any other origin is refused. */
  get(path: string, init?: RequestInit): Promise<Seen>;
  /** Posts a form as a page of the app would. */
  post(path: string, form?: Readonly<Record<string, string>>): Promise<Seen>;
  /** Follows redirects and pages that send on at once, as long as they stay in the app. */
  follow(seen: Seen): Promise<Seen>;
}

/** Nothing answers at an address of the app. */
export class AppUnreachable extends Error {}

const maxSteps = 10;
const patience = 60_000;

const whyUnreachable = (origin: string, code = ''): string =>
  /SELF_SIGNED_CERT|LEAF_SIGNATURE|ISSUER_CERT/.test(code)
    ? `The certificate of ${origin} is not trusted (${code}): set NODE_EXTRA_CA_CERTS, for pidgate dev too.`
    : `Nothing responds at ${origin}${code && ` (${code})`}: is the app running?${code === 'ENOTFOUND' ? ' This machine does not know the name: use localhost, or add it to the hosts file.' : ''}`;

export function createAgent(origin: string): Agent {
  const cookies = new Map<string, string>();
  return { origin, cookies, get, post, follow };

  async function get(path: string, init: RequestInit = {}): Promise<Seen> {
    const url = addressOf(path);
    const headers = new Headers({ accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    if (cookies.size > 0) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(url, { signal, ...init, headers, redirect: 'manual' }).catch(
      (cause: unknown) => {
        throw new AppUnreachable(whyUnreachable(new URL(url).origin, codeOf(cause)), { cause });
      },
    );
    for (const line of response.headers.getSetCookie()) keep(line);
    const text = await response.text();
    const { status } = response;
    // A body that was read cannot be read again, and some statuses must have none.
    const body = status === 204 || status === 304 ? null : text;
    return {
      response: new Response(body, { status, headers: response.headers }),
      url,
      text,
      location: response.headers.get('location') ?? refreshOf(text),
    };
  }

  async function post(path: string, form: Readonly<Record<string, string>> = {}): Promise<Seen> {
    const headers = { origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' };
    return await get(path, { method: 'POST', headers, body: new URLSearchParams(form) });
  }

  async function follow(first: Seen): Promise<Seen> {
    let seen = first;
    for (let steps = 0; steps < maxSteps; steps += 1) {
      const url = seen.location === undefined ? undefined : new URL(seen.location, seen.url);
      if (url === undefined || url.origin !== origin) return seen;
      seen = await get(url.href);
    }
    return seen;
  }

  /** A path stays a path of the app, however it is written: in a URL `//elsewhere.example` would be a host. */
  function addressOf(path: string): string {
    const address = path.startsWith('/') ? origin + path : path;
    const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined;
    if (url?.origin === origin) return url.href;
    throw configInvalid(`The sandbox's browser stays at ${origin}, but it was led to a different address.`);
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
    const isOver = value === '' || /;\s*max-age=0\b/i.test(line);
    if (isOver) cookies.delete(name);
    else cookies.set(name, value);
  }
}

/** Where a page goes on at once, as the kit's do: to the wallet, and for cookies that are SameSite=Strict. */
function refreshOf(text: string): string | undefined {
  const content = /<meta http-equiv="refresh" content="0; ?url=([^"]*)"/i.exec(text)?.[1];
  return content?.replaceAll('&amp;', '&').replaceAll('&#38;', '&');
}
