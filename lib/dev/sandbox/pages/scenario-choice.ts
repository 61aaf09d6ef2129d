import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { type ScenarioId, scenarioIds, scenarioOf } from '../scenarios/catalogue.js';
import { whyNotPlayable } from '../scenarios/playable.js';
import { type Html, sandboxHtml } from './html.js';

/** Scenarios that a person at a wallet page can see through; the others need `pidgate simulate`. */
const robotsOnly: readonly ScenarioId[] = ['return_other_browser', 'return_twice'];

export function choosable(id: ScenarioId, request: ReceivedProveRequest): boolean {
  return (
    scenarioOf(id).phase !== 'prove' && !robotsOnly.includes(id) && whyNotPlayable(id, request) === undefined
  );
}

/** A form for everything that is not approving and declining. */
export function scenarioChoice(request: ReceivedProveRequest, chosen: ScenarioId, fields?: Html): Html {
  const offered = scenarioIds.filter(
    (id) => choosable(id, request) && id !== 'declined' && (id !== 'approve' || chosen !== 'approve'),
  );
  return sandboxHtml`<details ${chosen === 'approve' ? undefined : sandboxHtml`open`}>
    <summary>Make something go wrong</summary>
    <form method="post">
      ${fields}
      <label for="scenario">What shall happen?</label>
      <select id="scenario" name="scenario">
        ${offered.map(
          (id) =>
            sandboxHtml`<option value="${id}" ${id === chosen ? sandboxHtml`selected` : undefined}>
              ${id}: ${scenarioOf(id).says}
            </option>`,
        )}
      </select>
      <button name="decision" value="scenario">Let it happen</button>
    </form>
  </details>`;
}
