import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { type ScenarioId, scenarioIds, scenarioOf } from '../scenarios/catalogue.js';
import { whyNotPlayable } from '../scenarios/playable.js';
import type { SandboxTexts } from './texts/en.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';

/** Scenarios that a person at a wallet page can see through; the others need `pidgate simulate`. */
const robotsOnly: readonly ScenarioId[] = ['return_other_browser', 'return_twice'];

export function isChoosable(id: ScenarioId, request: ReceivedProveRequest): boolean {
  return (
    scenarioOf(id).phase !== 'prove' && !robotsOnly.includes(id) && whyNotPlayable(id, request) === undefined
  );
}

/** A form for everything that is not approving and declining. */
export function scenarioChoice(request: ReceivedProveRequest, chosen: ScenarioId, say: SandboxTexts): Html {
  const offered = scenarioIds.filter(
    (id) => isChoosable(id, request) && id !== 'declined' && (id !== 'approve' || chosen !== 'approve'),
  );
  return sandboxHtml`<details ${chosen === 'approve' ? undefined : sandboxHtml`open`}>
    <summary>${say.goWrong}</summary>
    <form method="post">
      <label for="scenario">${say.whatHappens}</label>
      <select id="scenario" name="scenario">
        ${offered.map(
          (id) =>
            sandboxHtml`<option value="${id}" ${id === chosen ? sandboxHtml`selected` : undefined}>
              ${id}: ${say.says(id)}
            </option>`,
        )}
      </select>
      <button name="decision" value="scenario">${say.runScenario}</button>
    </form>
  </details>`;
}
