import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What an address of the app answered. */
export interface Answered {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text: string;
}

/** Asks an address of the app as somebody who has verified nothing; undefined where nothing usable came. */
export type Ask = (path: string, headers: Readonly<Record<string, string>>) => Promise<Answered | undefined>;

/** What was found of the data of a guarded page. */
export interface DataOfPage {
  /** The address that hands the data to somebody who has verified nothing. */
  readonly open?: string;
  /** Why the data address is not known. */
  readonly notTried?: string;
}

/**
 * Frameworks serve the data of a page at another address, which a guard of the page's own address does not see. Tries
 * those that are known: React Router's `/club.data`, Vike's `/club/index.pageContext.json`, and
 * `/_next/data/<build>/club.json` of Next's pages router.
 */
export async function dataOfPage(page: string, ask: Ask, folder: string): Promise<DataOfPage> {
  const { pathname, search } = new URL(page, 'http://page.invalid');
  const path = pathname.replace(/\/+$/, '');
  const next = await nextIn(ask, folder);
  const addresses = [
    `${path}.data${search}`,
    `${path}/_.data${search}`, // of a page whose address ends in a slash
    `${path}/index.pageContext.json${search}`,
    ...(next?.builds ?? []).map((build) => `/_next/data/${build}${path}.json${search}`),
  ];
  for (const address of addresses) {
    const answered = await ask(address, { accept: '*/*', 'x-nextjs-data': '1' });
    if (answered !== undefined && handsOut(answered)) return { open: address };
  }
  if (next?.builds.length !== 0) return {};
  const notTried = `Next.js serves the data of ${pathname} at /_next/data/<build>${path}.json, and neither a public page nor .next/BUILD_ID names the build`;
  return { notTried };
}

/** A page is the app's answer to any address that it does not know, and Next and Vike write a redirect as data. */
function handsOut({ status, headers, text }: Answered): boolean {
  if (status !== 200 || /\bhtml\b/.test(headers.get('content-type') ?? 'html')) return false;
  try {
    const told = JSON.parse(text) as { pageProps?: { __N_REDIRECT?: unknown }; _urlRedirect?: unknown };
    return told.pageProps?.__N_REDIRECT === undefined && told._urlRedirect === undefined;
  } catch {
    return true;
  }
}

/** The names that Next gives its builds, where Next is in the app. */
async function nextIn(ask: Ask, folder: string): Promise<{ readonly builds: readonly string[] } | undefined> {
  const asPage = { accept: 'text/html' };
  // Where the home is not Next's, what Next says of an address that it does not know is.
  const pages = [await ask('/', asPage), await ask('/_next/pidgate', asPage)].flatMap((page) => page ?? []);
  const built = await readFile(join(folder, '.next/BUILD_ID'), 'utf8').catch(() => '');
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(buildId)].map(([, id, other]) => id ?? other ?? ''),
  );
  const builds = [...new Set([...named, built.trim()])].filter((id) => /^[\w.-]+$/.test(id)).slice(0, 5);
  const isNext = pages.some(
    ({ text, headers }) =>
      text.includes('/_next/static/') || headers.get('x-powered-by')?.startsWith('Next.js') === true,
  );
  return isNext || builds.length > 0 ? { builds } : undefined;
}

/** In a page of the pages router, and in one of the app router. */
const buildId = /"buildId":"([^"]+)"|\\"b\\":\\"([^"\\]+)/g;
