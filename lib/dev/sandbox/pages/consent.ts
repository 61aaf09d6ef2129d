import type { AttributeId, Variant } from '../../../contracts/attributes.js';
import { walletErrors } from '../wallet/decision.js';
import type { Job } from '../service/jobs.js';
import { claimsOf, derivedOf, personName } from '../people/people.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';
import { redirectUrlMissing } from './redirect-url-missing.js';

const labels: Record<AttributeId, string> = {
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Birth date',
  nationality: 'Nationalities',
};

/** What is asked, what would be shared, and the decision. */
export function consentPage({ request, account }: Job, variant: Variant): Html {
  const claims = claimsOf(variant);
  const shared = claims.filter(({ id }) => request.revealed.includes(id));
  const kept = claims.filter(({ id }) => !request.revealed.includes(id));
  const who = account.redirectUrl === undefined ? 'An app' : new URL(account.redirectUrl).host;

  return layout({
    title: `${who} asks for your identity`,
    body: html`<h1>${who} asks for your identity</h1>
      <p class="soft">You are ${personName}. Only what is listed here is shared.</p>
      <h2>Will be shared</h2>
      <dl class="list">
        ${shared.map(({ id, value }) => row(labels[id], typeof value === 'string' ? value : value.join(', ')))}
        ${derivedRow(request.derived?.nationality, request.revealed.includes('nationality'))}
      </dl>
      ${
        kept.length > 0
          ? html`<h2>Stays in the wallet</h2>
              <p class="soft">${kept.map(({ id }) => labels[id]).join(', ')}</p>`
          : undefined
      }
      ${account.redirectUrl === undefined ? redirectUrlMissing() : actions}`,
    ...(account.redirectUrl !== undefined && { after: errorChoice }),
  });
}

const actions = html`<form method="post" class="actions">
  <button class="main" name="decision" value="approve">Share</button>
  <button name="decision" value="decline">Decline</button>
</form>`;

const errorChoice = html`<details>
  <summary>See how the app takes an error</summary>
  <form method="post">
    <label for="error">The service reports</label>
    <select id="error" name="error">
      ${Object.keys(walletErrors).map((code) => html`<option value="${code}">${code}</option>`)}
    </select>
    <button name="decision" value="error">Report this error</button>
  </form>
</details>`;

function row(label: string, value: string, hint?: string): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
    ${hint && html`<dd class="hint">${hint}</dd>`}
  </div>`;
}

function derivedRow(nationality: string | undefined, listToo: boolean): Html | undefined {
  if (nationality === undefined) return undefined;
  const answer = derivedOf({ nationality }).nationality === '1' ? 'Yes' : 'No';
  const hint = listToo ? undefined : 'Only this answer, not the list of nationalities';
  return row(`Holds the nationality ${nationality}`, answer, hint);
}
