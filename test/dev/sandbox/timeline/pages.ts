import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';

/** The words of a page. */
export const wordsOf = (page: string): string =>
  page
    .replaceAll(/<style>[^]*?<\/style>|<script>[^]*?<\/script>|<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');

/** The stream that tells when a page is out of date. */
export const changesOf = (page: string): string => /data-follow="([^"]*)"/.exec(page)?.[1] ?? '';

/** A page of the sandbox, as soon as it says this: what an app tells comes a moment later. */
export async function pageSaying({ url }: Pick<Sandbox, 'url'>, path: string, said: string): Promise<string> {
  for (;;) {
    const page = await (await fetch(url + path)).text();
    if (wordsOf(page).includes(said) || page.includes(said)) return page;
    // A page that does not follow is asked again when the overview has changed.
    const changes = changesOf(page) || changesOf(await (await fetch(url)).text());
    const reader = (await fetch(url + changes)).body?.getReader();
    let text = '';
    while (!text.includes('data:')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
    await reader?.cancel();
  }
}
