/** Each reader's way in. */
const readers = `<ul class="landing-readers">
<li><h2>Engineers</h2><p>Add it to your app and test it: <a href="docs/existing-app.html">getting started</a>, <a href="docs/cookbook.html">cookbook</a>, <a href="docs/testing.html">testing</a>.</p></li>
<li><h2>Product managers</h2><p>What people see and what you keep: <a href="docs/faq.html">frequent questions</a>, <a href="docs/pages.html">pages</a>, <a href="docs/privacy.html">privacy</a>.</p></li>
<li><h2>Security reviewers</h2><p>What is defended, and which test shows it: <a href="SECURITY.html">security</a>, <a href="docs/checks.html">checks</a>, <a href="docs/conformance.html">conformance</a>.</p></li>
</ul>`;

/**
 * Makes the first screen of the README's own first words and its picture, above the columns: what it is, whether it is
 * ready, one thing to do, and where each reader goes.
 */
export function withLanding(page: string): string {
  const first = /<h1 id="pidgate"[^]*?<\/h1>([^]*?)(<picture>[^]*?<\/picture>)(?:\s*<\/p>)?/.exec(page);
  const begin = /<pre>(?=<code[^>]*>(?:(?!<\/code>)[^])*\bstart\b)/.exec(page);
  if (first === null || begin === null)
    throw new Error('README.md: the landing needs its title, its picture and `npm start`.');
  const [whole, words = '', picture = ''] = first;
  const lead = words.replace(/<strong>[^]*?<\/strong>\s*/, '').replace(/<p>\s*$/, '');
  const landing = `<section class="container landing" aria-labelledby="landing-title">
<div class="landing-first"><div>
<h1 id="landing-title">Let people prove who they are with a government identity wallet</h1>
${lead.trim()}
<p class="landing-ways"><a class="landing-try" href="#npm-start">Try it: <code>npm start</code></a> <a href="docs/existing-app.html">Add it to your app</a></p>
</div>
${picture}</div>
${readers}
</section>`;
  return page
    .replace(whole, '')
    .replace(begin[0], '<pre id="npm-start">')
    .replace('<div class="container container-main">', `${landing}\n$&`)
    .replace(/<a href="#pidgate">[^]*?<\/a>/, '');
}
