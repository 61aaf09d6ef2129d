/**
 * The one script of the kit's pages, in two forms: with what asks the browser, and without. It asks the page's own address every two seconds, shows a notice, and loads the page
 * again where the status is another one: where the page leads then, the app decides. It leaves nothing to be guessed by
 * time: an outage, a 429 and a phone that slept are passed over. The end of the request is told by the browser's own clock.
 */
const scriptOf = (leave: string, more = ''): string => `(() => {
const element = (id) => document.getElementById(id);
const { poll, status, left } = element('status').dataset;
const began = Date.now();
let heard = began;
let timer;
const show = (id, on) => { const it = element(id); if (it && it.hidden === on) it.hidden = !on; };
const later = (ms) => { clearTimeout(timer); timer = setTimeout(ask, ms); };
async function ask() {
  let pause = 2000;
  try {
    const reply = await fetch(poll, { headers: { accept: 'application/json' }, cache: 'no-store', signal: AbortSignal.timeout?.(10000) });
    pause = Math.min(Math.max(Number(reply.headers.get('retry-after')) || 2, 2), 30) * 1000;
    const now = await reply.json();
    if (reply.ok) heard = Date.now();
    if (now.error === 'state_unknown' || (reply.ok && now.status !== status)) { ${leave} }
    const notice = element('notice');
    if (now.notice && notice.textContent !== now.notice) notice.textContent = now.notice;
    if (reply.ok) show('notice', Boolean(now.notice));
  } catch {}
  const passed = Date.now() - began;
  const isAway = Date.now() - heard > 60000;
  show('slow', !isAway && passed > 60000);
  show('soon', !isAway && left > passed && left - passed < 120000);
  show('away', isAway);
  later(pause);
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) later(0); });
const until = element('until');
if (until) {
  const words = until.firstElementChild || until;
  const time = new Date(began + Number(left)).toLocaleTimeString(words.closest('[lang]').lang, { hour: 'numeric', minute: '2-digit' });
  words.textContent = words.textContent.replace(until.dataset.time, time);
}
${more}show('waiting', true);
later(2000);
})()`;

export const script = scriptOf('location.reload(); return;');

/**
 * The page asks the browser where it knows the protocol (a browser may say so of all protocols), in the very moment of the
 * press: what is fetched before would use up the right to ask. While the browser's own window is open, nothing is loaded
 * again: that would take the window away. What comes is posted as a form; an error of a wallet comes as an answer, too.
 */
export const browserScript = scriptOf(
  'if (!isOpen) { location.reload(); return; }',
  `let isOpen = false;
const protocol = 'openid4vp-v1-signed';
const kind = self.DigitalCredential;
const isKnown = Boolean(kind && (kind.userAgentAllowsProtocol?.(protocol) ?? true));
show('browser', isKnown);
show('unable', !isKnown);
element('browser').firstElementChild.addEventListener('click', async ({ currentTarget: { dataset } }) => {
  if (isOpen) return;
  isOpen = true;
  show('failed', false);
  try {
    const { protocol: its, data } = await navigator.credentials.get({ digital: { requests: [{ protocol, data: { request: dataset.request } }] } });
    if (its !== protocol) throw its;
    const name = ['response', 'error'].find((one) => typeof data[one] === 'string');
    if (!name) throw name;
    const form = document.createElement('form');
    const field = document.createElement('input');
    Object.assign(form, { method: 'post', action: dataset.action, hidden: true });
    Object.assign(field, { name, value: data[name] });
    form.append(field);
    document.body.append(form);
    form.submit();
  } catch {
    isOpen = false;
    show('failed', true);
  }
});
addEventListener('pageshow', () => { isOpen = false; });
`,
);
