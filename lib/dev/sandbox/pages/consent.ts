import type { Variant } from '../../../types/attributes.js';
import type { Job } from '../service/jobs.js';
import { askedList, keptBack } from './asked.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';
import { redirectUrlMissing } from './redirect-url-missing.js';
import { scenarioChoice } from './scenario-choice.js';

/** `xx-sandbox`: service and wallet on one page. What is asked, what would be shared, and the decision. */
export function consentPage({ request, account, person, scenario }: Job, variant: Variant): Html {
  const who = account.redirectUrl === undefined ? 'An app' : new URL(account.redirectUrl).host;
  const stays = keptBack(request);
  return layout({
    title: `${who} asks for your identity`,
    role: 'wallet',
    body: sandboxHtml`<h1>${who} asks for your identity</h1>
      <p class="soft">
        You are ${person.given_name} ${person.family_name}. Only what is listed here is shared.
      </p>
      <h2>Will be shared</h2>
      ${askedList(request, person, variant)}
      ${
        stays !== '' &&
        sandboxHtml`<h2>Stays in the wallet</h2>
          <p class="soft">${stays}</p>`
      }
      ${account.redirectUrl === undefined ? redirectUrlMissing() : actions}`,
    after: account.redirectUrl === undefined ? undefined : scenarioChoice(request, scenario),
  });
}

const actions = sandboxHtml`<form method="post" class="actions">
  <button class="main" name="decision" value="approve">Share</button>
  <button name="decision" value="decline">Decline</button>
</form>`;
