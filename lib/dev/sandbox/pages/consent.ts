import type { AttributeId, PidAttributes, Variant } from '../../../contracts/attributes.js';
import { walletErrors } from '../wallet/decision.js';
import type { Job } from '../service/jobs.js';
import { attributeIds } from '../../../protocol/attributes.js';
import { fromIsoDate } from '../../../protocol/dates.js';
import { derivedOf } from '../people/claims.js';
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
export function consentPage(
  { request, account }: Job,
  variant: Variant,
  person: Readonly<PidAttributes>,
): Html {
  const values = { ...person, birth_date: fromIsoDate(person.birth_date, variant) };
  const shared = attributeIds.filter((id) => request.revealed.includes(id));
  const kept = attributeIds.filter((id) => !request.revealed.includes(id));
  const who = account.redirectUrl === undefined ? 'An app' : new URL(account.redirectUrl).host;

  return layout({
    title: `${who} asks for your identity`,
    body: html`<h1>${who} asks for your identity</h1>
      <p class="soft">
        You are ${person.given_name} ${person.family_name}. Only what is listed here is shared.
      </p>
      <h2>Will be shared</h2>
      <dl class="list">
        ${shared.map((id) => row(labels[id], [values[id]].flat().join(', ')))}
        ${derivedRow(person, request.derived?.nationality, request.revealed.includes('nationality'))}
      </dl>
      ${
        kept.length > 0
          ? html`<h2>Stays in the wallet</h2>
              <p class="soft">${kept.map((id) => labels[id]).join(', ')}</p>`
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

function derivedRow(
  person: Readonly<PidAttributes>,
  nationality: string | undefined,
  listToo: boolean,
): Html | undefined {
  if (nationality === undefined) return undefined;
  const answer = derivedOf(person, { nationality }).nationality === '1' ? 'Yes' : 'No';
  const hint = listToo ? undefined : 'Only this answer, not the list of nationalities';
  return row(`Holds the nationality ${nationality}`, answer, hint);
}
