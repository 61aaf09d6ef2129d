/** The kit's one stylesheet; a site's own colour is added to it. */
export const baseStyle = `
:root{color-scheme:light dark;--ink:#14202b;--soft:#51606d;--line:#d5dde4;--ground:#eef2f5;--card:#fff;--tint:#e6f0f7;
--accent:#0b5a8a;--accent-ink:#fff;--accent-over:#084a72;--link:#0b5a8a;--note:#fff6dd;--note-line:#b98a14;--shade:0 1px 2px #14202b14,0 12px 32px #14202b14}
@media (prefers-color-scheme:dark){:root{--ink:#e8eef3;--soft:#a9b6c1;--line:#34424e;--ground:#10171d;--card:#182129;--tint:#1f3442;
--accent:#6cb8e6;--accent-ink:#0b1a25;--accent-over:#8ccaf0;--link:#6cb8e6;--note:#2e2812;--note-line:#c79a2b;--shade:none}}
*{box-sizing:border-box}
html{font:100%/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;background:var(--ground);color:var(--ink);display:grid;place-items:center;padding:1.5rem 1rem}
main{width:100%;max-width:33rem;overflow-wrap:anywhere;background:var(--card);border:1px solid var(--line);border-radius:16px;padding:2.25rem;box-shadow:var(--shade)}
main>:last-child{margin-bottom:0}
.mark{display:block;width:3rem;height:3rem;margin:0 0 1.1rem;padding:.6rem;border-radius:12px;background:var(--tint);color:var(--link);
fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.warning{background:var(--note);color:var(--note-line)}
h1{font-size:1.65rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 .75rem;text-wrap:balance}
h2{font-size:1rem;margin:1.6rem 0 .5rem}
p{margin:0 0 1rem;text-wrap:pretty}
ul{margin:0 0 1rem;padding:0;list-style:none;border:1px solid var(--line);border-radius:10px}
li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.1rem 1rem;padding:.65rem 1rem}
li+li{border-top:1px solid var(--line)}
.soft,li span{color:var(--soft);font-size:.95rem}
.lead{font-size:1.08rem}
.note{margin:0 0 1.25rem;padding:.75rem 1rem;background:var(--note);border-left:4px solid var(--note-line);border-radius:8px;font-size:.95rem}
.note p:last-child{margin:0}
.button{display:block;width:100%;padding:.9rem 1.2rem;border:1px solid var(--link);border-radius:10px;background:var(--accent);
color:var(--accent-ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{background:var(--accent-over)}
:focus-visible{outline:3px solid var(--link);outline-offset:3px}
a{color:var(--link);text-underline-offset:.2em}
.site{font-weight:600;margin:0 0 1.5rem}
.site a{display:inline-block;color:inherit;text-decoration:none}
.site img{display:block;height:2.5rem;max-width:100%;object-fit:contain;object-position:left}
.away{text-align:center}
.away a{display:inline-block;padding:.35rem 1rem}
.foot{margin-top:1.25rem}
form{margin:1.75rem 0 1rem}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:30rem){body{padding:.75rem}main{padding:1.5rem 1.25rem}h1{font-size:1.4rem}}
`;
