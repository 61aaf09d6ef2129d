import { createHash } from 'node:crypto';

export const style = `
:root { color-scheme: light dark; --page: #f2f4f6; --card: #fff; --ink: #16202b; --soft: #52606d; --accent: #0b5563; --on: #fff; --line: #d5dce2; }
@media (prefers-color-scheme: dark) {
  :root { --page: #10161c; --card: #1a232c; --ink: #e8edf2; --soft: #a9b6c2; --accent: #7ad3df; --on: #06262b; --line: #33414d; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem; background: var(--page); color: var(--ink); font: 1.05rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 32rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
p, ol, ul, form { margin: 0 0 1rem; }
main > :last-child { margin-bottom: 0; }
.soft { color: var(--soft); font-size: .95rem; }
.button, button { display: inline-block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 1px solid var(--accent); border-radius: .5rem;
  background: none; color: var(--accent); font: inherit; text-align: center; text-decoration: none; cursor: pointer; }
.main { background: var(--accent); color: var(--on); font-weight: 600; margin-bottom: .75rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
svg { display: block; width: 100%; max-width: 20rem; height: auto; margin: 0 auto 1rem; border-radius: .5rem; }
.warning { font-weight: 600; }
.code { text-align: center; }
@media (min-width: 50rem) {
  main:has(.columns) { max-width: 56rem; }
  .columns { display: grid; grid-template-columns: 1fr 20rem; gap: 2rem; align-items: start; }
  .columns > * > :last-child { margin-bottom: 0; }
}
`;

/**
 * With scripts the page asks in the background, one question after the other, so that it keeps the focus; without, it
 * loads itself again. It asks which page this would be by now, and what does not say so ends nothing: a proxy that is
 * busy, a process that starts anew, a network that is away.
 */
export const script = `
const until = document.querySelector('[data-until]');
if (until) {
  const time = new Date(until.dataset.until).toLocaleTimeString(document.documentElement.lang, { timeStyle: 'short' });
  until.textContent = until.dataset.text.replace('{time}', time);
}
const ask = async () => {
  const reply = await fetch(location.href, { headers: { 'Bridge-Poll': '1' }, redirect: 'manual' }).catch(() => undefined);
  const page = reply && reply.headers.get('Bridge-Page');
  if (page && page !== document.body.dataset.page) location.reload();
  else setTimeout(ask, 2500);
};
setTimeout(ask, 2500);
`;

const hashed = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing but the page's own style and script; without form-action, which browsers apply to the app's redirects too. */
export const policy = [
  "default-src 'none'",
  `style-src ${hashed(style)}`,
  `script-src ${hashed(script)}`,
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');
