import { type Html, sandboxHtml } from './html.js';

/** In place of the buttons, where no callback could be sent. */
export function redirectUrlMissing(): Html {
  return sandboxHtml`<h2>No Redirect URL is set</h2>
    <p>
      The sandbox does not know where to send the result. Set the address of the app's callback route, often
      <code>http://localhost:3000/identity/callback</code>, in one of these ways, then reload this page:
    </p>
    <pre>
pidgate dev --callback &lt;url&gt;
createSandbox({ redirectUrl: url })
sandbox.redirectUrl = url</pre>`;
}
