/** What a browser shows for one request. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly location: string | undefined;
  json(): unknown;
}

/** A browser with a cookie jar of its own, which follows nothing by itself. */
export interface Browser {
  readonly cookies: Map<string, string>;
  get(url: string, headers?: Record<string, string>): Promise<Shown>;
  /** Posts a form from a page of the same site. */
  post(url: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<Shown>; // fetch sets Sec-Fetch-Mode itself
  /** Gets, and does what pages ask for: redirects on the same host, and meta refreshes. */
  visit(url: string): Promise<Shown & { readonly url: string }>;
}

export function createBrowser(): Browser {
  const cookies = new Map<string, string>();

  async function send(url: string, init: RequestInit): Promise<Shown> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie !== '' && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get('location') ?? undefined,
      json: () => JSON.parse(text) as unknown,
    };
  }

  const get: Browser['get'] = async (url, headers = {}) =>
    await send(url, { headers: { accept: 'text/html', ...headers } });

  return {
    cookies,
    get,
    // Without fields it is the form of the kit's own start page.
    async post(url, form, headers = {}) {
      const same = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
      const isKits = form === undefined && /\/start(?:[/?]|$)/.test(url);
      return await send(isKits ? byKit(url) : url, {
        method: 'POST',
        headers: { ...same, ...headers },
        body: new URLSearchParams(form ?? {}),
      });
    },
    async visit(url) {
      let at = url;
      for (let steps = 0; steps < 5; steps += 1) {
        const shown = await get(at);
        const next = shown.location ?? refreshOf(shown.text);
        if (next === undefined || new URL(next, at).host !== new URL(at).host) return { ...shown, url: at };
        at = new URL(next, at).href;
      }
      throw new Error(`Too many steps from ${url}`);
    },
  };
}

/** The address of a start, as the form of the kit's own page has it. */
export function byKit(start: string): string {
  if (/[?&]form=/.test(start)) return start;
  return `${start}${start.includes('?') ? '&' : '?'}form=kit`;
}

function refreshOf(text: string): string | undefined {
  const content = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(text)?.[1];
  return content?.replaceAll('&amp;', '&');
}
