import { createHash } from 'node:crypto';

/** The kit's one stylesheet, inline and allowed by its digest. */
export const style = `
:root{color-scheme:light dark;--ink:#14202b;--soft:#51606d;--line:#d5dde4;--ground:#f2f5f7;--card:#fff;
--accent:#0b5a8a;--accent-ink:#fff;--note:#fff6dd;--note-line:#d9b44a}
@media (prefers-color-scheme:dark){:root{--ink:#e8eef3;--soft:#a3b1bd;--line:#34424e;--ground:#10171d;--card:#182129;
--accent:#6cb8e6;--accent-ink:#0b1a25;--note:#2b2511;--note-line:#8a7022}}
*{box-sizing:border-box}
html{font:100%/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);display:grid;place-items:center;padding:1rem}
main{width:100%;max-width:33rem;background:var(--card);border:1px solid var(--line);border-radius:14px;padding:2rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1rem;margin:1.5rem 0 .4rem}
p{margin:0 0 .9rem}
ul{margin:0 0 .9rem;padding:0;list-style:none;border:1px solid var(--line);border-radius:10px}
li{padding:.6rem .9rem}
li+li{border-top:1px solid var(--line)}
.soft{color:var(--soft);font-size:.95rem}
.lead{font-size:1.08rem}
.note{background:var(--note);border-left:4px solid var(--note-line);border-radius:6px;padding:.7rem .9rem;font-size:.95rem}
.note p:last-child{margin:0}
.button{display:inline-block;width:100%;padding:.85rem 1.2rem;border:0;border-radius:10px;background:var(--accent);
color:var(--accent-ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{filter:brightness(1.08)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
form{margin:1.5rem 0 .9rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
@media (max-width:30rem){main{padding:1.4rem 1.2rem}h1{font-size:1.4rem}}
`;

const digest = createHash('sha256').update(style).digest('base64');

/**
 * No form-action: Chromium applies it to the redirect that follows a form's POST, and would stop the way to the
 * wallet.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${digest}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
