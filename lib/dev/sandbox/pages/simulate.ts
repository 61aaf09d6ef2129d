import type { SimulatedScenario } from '../simulator/simulate.js';
import { scenarioIds } from '../scenarios/catalogue.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';

/** Asks for the app's address and the scenarios. */
export function simulatePage(url: string, problem?: string): Html {
  return layout({
    title: 'Try your app with every scenario',
    wide: true,
    body: sandboxHtml`<h1>Try your app with every scenario</h1>
      <p>
        The sandbox visits your app with a browser of its own, plays one scenario after the other, and says
        what a good app shows.
      </p>
      ${problem !== undefined && sandboxHtml`<p class="fault" role="alert">${problem}</p>`}
      <form method="post" class="actions">
        <label for="url">A page of your app that only verified people may see</label>
        <input id="url" name="url" type="url" required value="${url}" />
        <label for="scenario">Scenario</label>
        <select id="scenario" name="scenario">
          <option value="">all, which takes about a minute</option>
          ${scenarioIds.map((id) => sandboxHtml`<option value="${id}">${id}</option>`)}
        </select>
        <button class="main">Start</button>
      </form>`,
  });
}

/** What came of it. */
export function simulatedPage(url: string, rows: readonly SimulatedScenario[]): Html {
  const wrong = rows.filter(({ passed }) => !passed);
  const title =
    wrong.length === 0 ? 'All is as it should be' : `${wrong.length} of ${rows.length} went wrong`;
  return layout({
    title,
    wide: true,
    body: sandboxHtml`<h1>${title}</h1>
      <p class="soft">${url}</p>
      <ol class="messages">
        ${[...wrong, ...rows.filter(({ passed }) => passed)].map(one)}
      </ol>
      <p><a href="/simulate">Once more</a></p>`,
  });
}

function one({ scenario, says, expected, passed, did, fix, read, leftOut }: SimulatedScenario): Html {
  const word = leftOut === true ? 'left out' : passed ? 'passed' : 'failed';
  return sandboxHtml`<li>
    <p class="head">
      <strong>${scenario}</strong>
      <span class="${passed ? 'good' : 'bad'}">${word}</span>
    </p>
    <p>${says} <span class="soft">${expected}</span></p>
    <p>${did}</p>
    ${
      fix !== undefined &&
      sandboxHtml`<div class="fault">
        <p>${fix}</p>
        ${read !== undefined && sandboxHtml`<p>Read on: ${read}</p>`}
      </div>`
    }
  </li>`;
}
