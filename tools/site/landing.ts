/** Above the README on the first page: what it is, where to begin, and where each reader goes. */
export const landing = `<section class="landing" aria-labelledby="landing-title">
<h1 id="landing-title">Ask people to prove who they are, with the identity wallet of their country</h1>
<p>An Express router, a guard and a sandbox. No account, no phone and no tunnel needed to try it.</p>
<p class="landing-ways"><a href="docs/existing-app.html">Get started</a> <a href="docs/sandbox.html">Try it in the sandbox</a></p>
<ul>
<li><h2>Engineers</h2><p>Twenty lines, then the guard: <a href="docs/cookbook.html">cookbook</a>, <a href="docs/options.html">options</a>, <a href="docs/testing.html">testing</a>.</p></li>
<li><h2>Product managers</h2><p>What people see and what you keep: <a href="docs/faq.html">questions</a>, <a href="docs/pages.html">pages</a>, <a href="docs/privacy.html">privacy</a>.</p></li>
<li><h2>Security reviewers</h2><p>What is defended, and which test shows it: <a href="SECURITY.html">security</a>, <a href="docs/checks.html">checks</a>, <a href="docs/conformance.html">conformance</a>.</p></li>
</ul>
</section>`;
