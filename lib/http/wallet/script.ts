/**
 * The one script of the kit's pages. It asks the page's own address every two seconds, shows a notice, and loads the page
 * again where the status is another one: where the page leads then, the app decides. It leaves nothing to be guessed by
 * time: an outage, a 429 and a phone that slept are passed over. The end of the request is told by the browser's own clock.
 */
export const script = `(() => {
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
    if (now.error === 'state_unknown' || (reply.ok && now.status !== status)) { location.reload(); return; }
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
show('waiting', true);
later(2000);
})()`;
