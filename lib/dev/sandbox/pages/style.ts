import { createHash } from 'node:crypto';

/** The one stylesheet, inline; the policy names it by its hash. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #eef1f4; --card: #fff; --ink: #16202b; --soft: #52606d; --line: #dde3e8; --fill: #f6f8fa;
  --accent: #0b5f6b; --on-accent: #fff; --focus: #1273c4; --mark: #fff3cf; --on-mark: #6a4a00; --good: #17633a; --bad: #a52214;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10161c; --card: #19222b; --ink: #e8edf2; --soft: #a3b1be; --line: #2d3944; --fill: #212c36;
    --accent: #6fd0dd; --on-accent: #06262b; --focus: #8cc8ff; --mark: #3a2f10; --on-mark: #ffdf8f; --good: #7fdca7; --bad: #ff9c8a;
  }
}
* { box-sizing: border-box; }
html { hyphens: auto; hyphenate-limit-chars: 10 4 4; overflow-wrap: anywhere; }
body {
  margin: 0; min-height: 100vh; padding: 2rem min(1rem, 4.2vw); background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; -webkit-text-size-adjust: 100%;
}
main {
  max-width: 30rem; margin: 0 auto; background: var(--card); border: 1px solid var(--line);
  border-radius: 1rem; overflow: hidden; box-shadow: 0 1px 2px rgb(0 0 0 / 4%), 0 12px 32px rgb(0 0 0 / 7%);
}
main.wide { max-width: 40rem; }
.mark {
  display: flex; flex-wrap: wrap; gap: 0 .5rem; align-items: center; margin: 0; padding: .6rem min(1.5rem, 6.2vw);
  background: var(--mark); color: var(--on-mark); font-size: .875rem;
}
.mark strong { flex: none; max-width: 100%; }
.content { padding: 1.5rem min(1.5rem, 6.2vw); }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { margin: 1.5rem 0 .5rem; font-size: .875rem; font-weight: 600; color: var(--soft); }
p { margin: 0 0 .75rem; }
.soft { color: var(--soft); }
.list { margin: 1rem 0 0; border: 1px solid var(--line); border-radius: .75rem; }
.list > div { padding: .6rem min(1rem, 4.2vw); }
@media (min-width: 34rem) { .facts > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 1rem; } }
h2 + .list { margin-top: 0; }
.list + p { margin-top: .75rem; }
.list > div + div { border-top: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
dd:has(code) { font-weight: 400; }
.hint { flex-basis: 100%; font-size: .875rem; font-weight: 400; color: var(--soft); }
.actions { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; margin-top: 1.5rem; }
.actions + p { margin-top: 1rem; }
select, input { min-width: 0; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
button, select {
  font: inherit; min-height: 2.875rem; padding: .5rem min(1rem, 4.2vw); border-radius: .625rem;
  border: 1px solid var(--soft); background: var(--card); color: var(--ink);
}
button { cursor: pointer; font-weight: 600; }
button:hover { background: var(--fill); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button.main:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
details { border-top: 1px solid var(--line); background: var(--fill); }
summary { padding: .9rem min(1.5rem, 6.2vw); cursor: pointer; color: var(--soft); font-size: .9375rem; }
summary:focus-visible { outline-offset: -3px; }
details form { display: grid; gap: .5rem; padding: 0 min(1.5rem, 6.2vw) 1.5rem; }
details select { width: 100%; }
label { font-size: .9375rem; }
code, pre { font: .875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre {
  margin: 0 0 .75rem; padding: .75rem 1rem; background: var(--fill); border: 1px solid var(--line);
  border-radius: .625rem; white-space: pre-wrap;
}
a { color: var(--accent); }
a.button {
  display: block; font-weight: 600; min-height: 2.875rem; padding: .6rem 1rem; border-radius: .625rem; text-align: center;
  text-decoration: none; background: var(--accent); color: var(--on-accent);
}
a.button:hover { filter: brightness(1.08); }
input {
  font: inherit; min-height: 2.875rem; padding: .5rem min(1rem, 4.2vw); border-radius: .625rem; width: 100%;
  border: 1px solid var(--soft); background: var(--card); color: var(--ink);
}
[aria-invalid] { border: 2px solid var(--bad); }
.id { overflow-wrap: anywhere; }
.person { margin: 1rem 0; }
.person p { margin: 0 0 .5rem; }
.people { display: flex; flex-wrap: wrap; gap: .5rem; }
[aria-current]:is(button) { border: 2px solid var(--accent); }
details.inline { background: none; border: 0; }
details.inline summary { padding: .2rem 0; }
.flows, .messages, .plain { padding: 0; margin: .5rem 0; list-style: none; }
.flows li { padding: .6rem 0; border-top: 1px solid var(--line); }
.messages > li { padding: 1rem 0 .25rem; border-top: 1px solid var(--line); }
.messages p { margin: 0 0 .4rem; }
.head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; }
.scenarios li { display: flex; gap: .75rem; align-items: center; justify-content: space-between; padding: .2rem 0; }
.scenarios button { flex: none; overflow-wrap: normal; }
.person li { flex-wrap: wrap; }
.person li button { flex: 0 1 auto; max-width: 100%; overflow-wrap: anywhere; }
.scenarios code { color: var(--soft); }
.scenarios span { min-width: 0; overflow-wrap: anywhere; }
.head time { margin-left: auto; color: var(--soft); }
.badge { font-weight: 600; padding: .05rem .5rem; border-radius: .5rem; border: 1px solid currentColor; font-size: .875rem; }
.badge.good { color: var(--good); }
.badge.bad { color: var(--bad); }
.badge.neutral { color: var(--soft); }
.flows p { margin: 0; }
.flows .badge { margin-left: auto; }
.filter { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.filter [aria-current] { font-weight: 600; color: var(--ink); text-decoration: none; }
.sequence { display: block; width: 100%; max-width: 34rem; margin: 1rem auto; fill: var(--ink); stroke: none; font: 11.5px system-ui, sans-serif; }
.sequence text { text-anchor: middle; }
.sequence .lane { font-weight: 600; font-size: 12px; }
.sequence .decision, .sequence .time { text-anchor: start; }
.sequence .time { fill: var(--soft); font-size: 11px; }
.sequence .life { stroke: var(--line); }
.sequence path { fill: none; stroke: var(--accent); stroke-width: 1.5; }
.sequence .wrong path { stroke: var(--bad); }
.sequence .wrong text:not(.time) { fill: var(--bad); }
h3 { margin: 1rem 0 .25rem; font-size: .9375rem; }
.checks { padding: 0; margin: .5rem 0; list-style: none; }
.checks li { display: grid; grid-template-columns: max-content 2.5rem minmax(0, 1fr); gap: .1rem .6rem; padding: .3rem 0; align-items: baseline; }
@media (max-width: 30rem) { .checks li { grid-template-columns: max-content 1fr; } .checks li > :last-child { grid-column: 1 / -1; } }
.fault { margin: .5rem 0; padding: .6rem .9rem; border-left: 4px solid var(--bad); background: var(--fill); }
.fault p:last-child { margin: 0; }
.messages details { background: none; border: 0; }
.messages summary { padding: .3rem 0; }
main:has(.acts) { max-width: 62rem; }
.acts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1rem; margin: 1rem 0; padding: 0; list-style: none; }
.acts li { padding: 1rem min(1.25rem, 4.2vw); border: 1px solid var(--line); border-radius: .75rem; }
.acts h2 { margin: 0 0 .25rem; font-size: 1.125rem; color: var(--ink); }
.acts dl { margin: 1rem 0 0; }
.acts dl > div { padding: .4rem 0; border-top: 1px solid var(--line); }
.outcome { margin: .75rem 0; padding: .5rem .75rem; border: 2px solid currentColor; border-radius: .625rem; font-weight: 600; }
@media (max-width: 34rem) { .acts dl > div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); gap: .5rem; } }
.outcome.good { color: var(--good); }
.outcome.bad { color: var(--bad); }
@media (forced-colors: active) { button.main { border-width: 4px; } }
a.button.other { background: var(--card); color: var(--ink); border: 1px solid var(--soft); }
@media print {
  form, footer, .people, .you, .messages details, #settings { display: none; }
  main { border: 0; box-shadow: none; }
  details::details-content { content-visibility: visible; height: auto; }
}
footer { max-width: 30rem; margin: 1rem auto 0; text-align: center; font-size: .8125rem; color: var(--soft); }
`;

export const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
