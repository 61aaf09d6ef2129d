import {
  type ChoosableId,
  type ScenarioId,
  choosableIds,
  isChoosableId,
  scenarioOf,
} from '../scenarios/catalogue.js';
import { type Asked, whyNotPlayable } from '../scenarios/playable.js';
import { type Cards, shownPerson } from './person-choice.js';
import type { SandboxTexts } from './texts/languages.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';

/** Whether a person at the wallet of this request can choose it; the others need `pidgate simulate`. */
export function isChoosable(id: unknown, request: Asked): id is ChoosableId {
  return isChoosableId(id) && whyNotPlayable(id, request) === undefined;
}

/** A form for everything that is not approving and declining. */
export function scenarioChoice(
  request: Asked,
  chosen: ScenarioId,
  cards: Pick<Cards, 'chosen'>,
  say: SandboxTexts,
): Html {
  const offered = choosableIds.filter(
    (id) => isChoosable(id, request) && id !== 'declined' && (id !== 'approve' || chosen !== 'approve'),
  );
  return sandboxHtml`<details ${chosen === 'approve' ? undefined : sandboxHtml`open`}>
    <summary>${say.goWrong}</summary>
    <form method="post">
      ${shownPerson(cards)}
      <label for="scenario">${say.whatHappens}</label>
      <select id="scenario" name="scenario">
        ${Object.entries(say.phases).map(
          ([phase, label]) =>
            sandboxHtml`<optgroup label="${label}">
              ${offered
                .filter((id) => scenarioOf(id).phase === phase)
                .map(
                  (id) =>
                    sandboxHtml`<option value="${id}" ${id === chosen ? sandboxHtml`selected` : undefined}>${say.scenarios[id].replace(/\.$/, '')} (${id})</option>`,
                )}
            </optgroup>`,
        )}
      </select>
      <button name="decision" value="scenario">${say.runScenario}</button>
    </form>
  </details>`;
}
