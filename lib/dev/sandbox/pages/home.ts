import type { PidAttributes, Variant } from '../../../contracts/attributes.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import { redirectUrlMissing } from './redirect-url-missing.js';

/** For whoever opens the sandbox's own address. */
export function homePage(
  redirectUrl: string | undefined,
  variant: Variant,
  { given_name, family_name }: Readonly<PidAttributes>,
): Html {
  return layout({
    title: 'The identity verification service, on this machine',
    body: html`<h1>The identity verification service, on this machine</h1>
      <p class="soft">Start a verification in your app: it leads to a wallet page here.</p>
      <dl class="list">
        <div>
          <dt>Issuer</dt>
          <dd>xx-sandbox</dd>
        </div>
        <div>
          <dt>Person</dt>
          <dd>${given_name} ${family_name}</dd>
        </div>
        <div>
          <dt>Variant</dt>
          <dd>${variant}</dd>
        </div>
        ${
          redirectUrl === undefined
            ? undefined
            : html`<div>
                <dt>Redirect URL</dt>
                <dd>${redirectUrl}</dd>
              </div>`
        }
      </dl>
      ${redirectUrl === undefined ? redirectUrlMissing() : undefined}`,
  });
}
