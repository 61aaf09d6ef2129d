// The script of a page of your own that waits for a wallet. identity.ejs, beside this file, names it: serve it from
// your app as /wallet-page.js. docs/pages.md says what the page is.
const { poll = '' } = document.currentScript?.dataset ?? {};
let before;
let isAsking = false;

async function look() {
  const reply = await fetch(poll, { headers: { accept: 'application/json' } });
  const { status, notice } = await reply.json();
  const isOther = status === 'over' || (before !== undefined && status !== undefined && status !== before);
  if (isOther && !isAsking) location.reload(); // it would close the window in which the browser asks
  before ??= status;
  const element = document.querySelector('[role=status]');
  if (element !== null && notice !== undefined && element.textContent !== notice) element.textContent = notice;
}

setInterval(() => {
  look().catch(() => {}); // it asks again
}, 2000);

// The way by the browser: nothing is fetched between the press and the call, or the browser refuses it.
const protocol = 'openid4vp-v1-signed';
const part = document.querySelector('#browser');
const failed = document.querySelector('#failed');
const kind = globalThis.DigitalCredential;
if (part !== null && kind !== undefined) part.hidden = kind.userAgentAllowsProtocol?.(protocol) === false;

async function ask({ request = '', action = '' }) {
  const requests = [{ protocol, data: { request } }];
  const brought = await navigator.credentials.get({ digital: { requests } });
  if (brought.protocol !== protocol) throw new Error('an answer by another protocol');
  const name = brought.data.response === undefined ? 'error' : 'response';
  const form = Object.assign(document.createElement('form'), { method: 'post', action, hidden: true });
  form.append(Object.assign(document.createElement('input'), { name, value: String(brought.data[name]) }));
  document.body.append(form);
  form.submit();
}

part?.querySelector('button')?.addEventListener('click', ({ currentTarget }) => {
  if (isAsking) return;
  isAsking = true;
  if (failed !== null) failed.hidden = true;
  ask(currentTarget.dataset).catch(() => {
    isAsking = false;
    if (failed !== null) failed.hidden = false;
  });
});
