/**
 * The one script of the kit's pages. It asks the page's own address every two seconds, shows a notice, and loads the page
 * again where the status is another one: where the page leads then, the app decides. It leaves nothing to be guessed by
 * time: an outage, a 429 and a phone that slept are passed over.
 */
export const script = `(() => {
const began = Date.now();
let heard = began;
let timer;
const element = (id) => document.getElementById(id);
const { poll, status, left } = element('status').dataset;
const show = (id, on) => { const it = element(id); if (it && it.hidden === on) it.hidden = !on; };
const later = (ms) => { clearTimeout(timer); timer = setTimeout(ask, ms); };
async function ask() {
  let pause = 2000;
  try {
    const reply = await fetch(poll, { headers: { accept: 'application/json' }, cache: 'no-store', signal: AbortSignal.timeout(10000) });
    if (reply.ok) {
      const now = await reply.json();
      heard = Date.now();
      if (now.status !== status) { location.reload(); return; }
      const notice = element('notice');
      if (now.notice && notice.textContent !== now.notice) notice.textContent = now.notice;
      show('notice', Boolean(now.notice));
    } else if (reply.status === 404) { location.reload(); return; }
    else pause = Math.min(Math.max(Number(reply.headers.get('retry-after')) || 2, 2), 30) * 1000;
  } catch {}
  const passed = Date.now() - began;
  show('slow', passed > 60000);
  show('soon', left - passed < 120000);
  show('away', Date.now() - heard > 60000);
  later(pause);
}
document.addEventListener('visibilitychange', () => { if (!document.hidden) later(0); });
show('waiting', true);
later(2000);
})()`;
