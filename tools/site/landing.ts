/** Above the README on the first page: what it is, whether it is ready, where to begin, and where each reader goes. */
const landing = `<section class="landing" aria-labelledby="landing-title">
<h1 id="landing-title">Let people prove who they are with a government identity wallet</h1>
<p><strong>Ready for trying and integrating; not yet proven against the real service.</strong></p>
<p>For existing Express apps of shops, banks and clubs that need a verified name or age: people agree in their wallet to share it, and your app gets data that a government signed. Trying it needs no account, no phone and no tunnel.</p>
<p class="landing-ways"><a href="docs/existing-app.html">Get started</a> <a href="#twenty-lines-in-your-own-app">Try it in twenty lines</a></p>
<ul>
<li><h2>Engineers</h2><p>Add it to your app and test it: <a href="docs/cookbook.html">cookbook</a>, <a href="docs/options.html">options</a>, <a href="docs/testing.html">testing</a>.</p></li>
<li><h2>Product managers</h2><p>What people see and what you keep: <a href="docs/faq.html">frequent questions</a>, <a href="docs/pages.html">pages</a>, <a href="docs/privacy.html">privacy</a>.</p></li>
<li><h2>Security reviewers</h2><p>What is defended, and which test shows it: <a href="SECURITY.html">security</a>, <a href="docs/checks.html">checks</a>, <a href="docs/conformance.html">conformance</a>.</p></li>
</ul>
</section>`;

/** Replaces the first words of the README, which say the same. */
export function withLanding(page: string): string {
  return page
    .replace('role="main">', `role="main">${landing}`)
    .replace(/(<h1 id="pidgate"[^]*?<\/h1>)\s*<p>[^]*?(?=<picture>)/, '$1\n');
}
