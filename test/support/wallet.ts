import type { Browser } from './browser.js';

/**
 * Decides on the sandbox's wallet page as a browser would: fetches the page, submits its form, and answers the
 * address that the browser is sent to, as the person whom the page has chosen, or as this one. Fails with the text of
 * the page that came instead.
 */
export async function decide(
  redirectUrl: string,
  decision: 'approve' | 'decline' | 'error',
  person?: string,
): Promise<string> {
  const page = await fetch(redirectUrl);
  const markup = await page.text();
  const form = formWith(markup, decision);
  if (form === undefined) throw new Error(`The wallet page offers no "${decision}": ${words(markup)}`);
  if (person !== undefined) form.set('person', person);
  const reply = await fetch(redirectUrl, {
    method: 'POST',
    headers: { origin: new URL(redirectUrl).origin, 'sec-fetch-site': 'same-origin' },
    body: form,
    redirect: 'manual',
  });
  const location = reply.headers.get('location');
  if (reply.status === 303 && location !== null) return location;
  throw new Error(`The wallet answered ${reply.status}: ${words(await reply.text())}`);
}

/** The same with the German identity card, and its PIN. */
export async function shareGermanCard(browser: Browser, redirectUrl: string): Promise<string> {
  await browser.post(redirectUrl, { decision: 'approve' });
  const { location, text: refusal } = await browser.post(redirectUrl, { decision: 'pin', pin: '123456' });
  if (location === undefined) throw new Error(`The wallet leads nowhere: ${words(refusal)}`);
  return location;
}

/** The successful controls of the form that holds the button: the chosen option or the first, hidden fields, the button. */
function formWith(markup: string, decision: string): URLSearchParams | undefined {
  const forms = markup.match(/<form method="post"[^]*?<\/form>/g) ?? [];
  const value = decision === 'error' ? 'scenario' : decision;
  const form = forms.find((it) => it.includes(`name="decision" value="${value}"`));
  if (form === undefined) return undefined;
  const fields = new URLSearchParams({ decision: value });
  const select = /<select[^>]* name="(?<name>\w+)"[^]*?<option value="(?<value>\w*)"/.exec(form)?.groups;
  const chosen = /<option value="(\w*)" selected/.exec(form)?.[1];
  if (select !== undefined) fields.set(select['name'] ?? '', chosen ?? select['value'] ?? '');
  return fields;
}

function words(markup: string): string {
  return markup
    .replaceAll(/<style>[^]*?<\/style>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
