import { guardNotTried, type SimulatedScenario, triesGuard } from '../simulator/simulate.js';
import { scenarioIds, type ScenarioId, scenarios, scenarioOf } from '../scenarios/catalogue.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout } from './layout.js';

/** Asks for the app's address and the scenarios. */
export function simulatePage(
  [url, ...others]: readonly [string, ...string[]],
  chosen: unknown,
  problem?: string,
): Html {
  return layout({
    title: 'Try your app with every scenario',
    wide: true,
    body: sandboxHtml`<h1>Try your app with every scenario</h1>
      <p>
        The sandbox visits your app with its own browser, plays one scenario after another, and says what a
        good app shows.
      </p>
      ${problem !== undefined && sandboxHtml`<p class="fault" role="alert">${problem}</p>`}
      <form method="post" class="actions">
        <label for="url">A page of your app that only verified people may see</label>
        <input id="url" name="url" type="url" required value="${url}" list="guarded" aria-describedby="guard" />
        <datalist id="guarded">
          ${[url, ...others].map((page) => sandboxHtml`<option value="${page}"></option>`)}
        </datalist>
        <p id="guard" class="hint">${isGuarded(url) ? guardTried : guardNotKnown}</p>
        <label for="scenario">Scenario</label>
        <select id="scenario" name="scenario">
          <option value="">all ${scenarioIds.length}</option>
          ${scenarioIds.map(
            (id) =>
              sandboxHtml`<option value="${id}" ${id === chosen ? sandboxHtml`selected` : undefined}>${id}</option>`,
          )}
        </select>
        <button class="main">Start</button>
      </form>
      <p class="after"><a href="/scenarios">What each scenario is</a></p>`,
  });
}

const isGuarded = (url: string): boolean => URL.canParse(url) && triesGuard(url);

const guardTried = 'The robot also looks whether it stays closed to those who have not verified.';
const guardNotKnown =
  'An open page, such as the home page, does not try the guard. Open a guarded page in your app, and it is suggested here.';

const place = '<!-- rows -->';

/**
 * What comes of it, in the order in which it is sent: a page's beginning, a row for each scenario, and its end. The
 * stylesheet puts the figures first and the failures next, as soon as they are there.
 */
export function simulationParts(url: string): { readonly start: string; readonly end: string } {
  const page = layout({
    title: 'What your app did',
    wide: true,
    body: sandboxHtml`<h1>What your app did</h1>
      <p class="soft">${url}</p>
      ${!triesGuard(url) && sandboxHtml`<p class="note">${guardNotTried}</p>`}
      <ol class="messages results">
        <li class="running"><p role="status">Playing …</p></li>
        ${{ markup: place }}
      </ol>
      <p><a href="/simulate">Run again</a></p>`,
  });
  const [start = '', end = ''] = page.markup.split(place);
  return { start, end };
}

export function simulationRow({
  scenario,
  says,
  expected,
  passed,
  did,
  fix,
  read,
  leftOut,
  at,
  of,
}: SimulatedScenario): Html {
  const word = leftOut === true ? 'left out' : passed ? 'passed' : 'failed';
  const look = leftOut === true ? 'neutral' : passed ? 'good' : 'bad';
  const [, path = '', name = ''] = /^http:\/\/[^/]+(\/(?:errors\/)?(\w+))$/.exec(read ?? '') ?? [];
  return sandboxHtml`<li class="${word === 'failed' ? 'failed' : 'done'}">
    <p class="head">
      <strong>${scenario}</strong>
      <span class="badge ${look}">${word}</span>
      <span class="count">${at} of ${of}</span>
    </p>
    <p>${says} <span class="soft">${expected}</span></p>
    <p>${did}</p>
    ${
      fix !== undefined &&
      sandboxHtml`<div class="fault">
        <p>${fix}</p>
        ${read !== undefined && sandboxHtml`<p>See: <a href="${path}"><code translate="no">${name}</code></a></p>`}
      </div>`
    }
  </li>`;
}

/** The figures, or why there are no more of them. */
export function simulationSummary(rows: readonly SimulatedScenario[], problem?: string): Html {
  const wrong = rows.filter(({ passed }) => !passed).length;
  const of = rows.at(-1)?.of ?? 0;
  const played = rows.length < of ? ` ${of - rows.length} of ${of} were not played.` : '';
  const leftOut = rows.filter((row) => row.leftOut === true).length;
  const passed = `${rows.length - leftOut} passed${leftOut === 0 ? '' : `, ${leftOut} left out`}.`;
  const title = problem ?? (wrong === 0 ? passed : `${wrong} of ${rows.length} went wrong.`);
  return sandboxHtml`<li class="summary"><p role="status"><strong>${title}</strong>${played}</p></li>`;
}

const phases = {
  wallet: 'The person or the wallet',
  proof: 'The proof',
  callback: 'The callback',
  return: 'The return',
  prove: "The service's reply to the start",
} as const;

/** The catalogue. */
export function scenariosPage(): Html {
  const ids = Object.keys(scenarios) as ScenarioId[];
  return layout({
    title: 'Scenarios',
    wide: true,
    body: sandboxHtml`<h1>Scenarios</h1>
      <p class="soft">What can happen, and what a good app shows. Programs get this as JSON.</p>
      ${Object.entries(phases).map(
        ([phase, title]) =>
          sandboxHtml`<h2>${title}</h2>
            <ul class="messages">
              ${ids.filter((id) => scenarioOf(id).phase === phase).map(scenarioItem)}
            </ul>`,
      )}`,
  });
}

function scenarioItem(id: ScenarioId): Html {
  const { says, expects } = scenarioOf(id);
  return sandboxHtml`<li>
    <p class="head"><a href="/simulate?scenario=${id}">${id}</a></p>
    <p>${says} <span class="soft">${expects}</span></p>
  </li>`;
}
