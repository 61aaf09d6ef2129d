import { guardNotTried, type SimulatedScenario, triesGuard } from '../simulator/simulate.js';
import { scenarioIds, type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout } from './layout.js';

/** Asks for the app's address. Below it is each scenario, with what a good app shows and a button that plays it alone. */
export function simulatePage([url, ...others]: readonly [string, ...string[]], problem?: string): Html {
  const title = 'Try your app with every scenario';
  return layout({
    title,
    wide: true,
    body: sandboxHtml`<h1>${title}</h1>
      <p>
        The sandbox visits your app with its own browser, plays all scenarios or the one you choose, and says what
        your app did. Above each list stands what a good app shows.
      </p>
      ${problem !== undefined && sandboxHtml`<p class="fault" role="alert">${problem}</p>`}
      <form method="post">
        <div class="actions">
          <label for="url">A page of your app that only verified people may see</label>
          <input id="url" name="url" type="url" required value="${url}" list="guarded" aria-describedby="guard" />
          <datalist id="guarded">
            ${[url, ...others].map((page) => sandboxHtml`<option value="${page}"></option>`)}
          </datalist>
          <p id="guard" class="hint">${isGuarded(url) ? guardTried : guardNotKnown} The robot does not log in.</p>
          <button class="main">Play all</button>
        </div>
        ${Object.entries(phases).map(([phase, about]) => {
          const ids = scenarioIds.filter((id) => scenarioOf(id).phase === phase);
          const outcomes = [...new Set(ids.map((id) => scenarioOf(id).expects))];
          return sandboxHtml`<h2>${about}</h2>
            ${outcomes.map(
              (expects) =>
                sandboxHtml`<p class="expected">${expects}</p>
                  <ul class="plain scenarios">
                    ${ids.filter((id) => scenarioOf(id).expects === expects).map(scenarioItem)}
                  </ul>`,
            )}`;
        })}
      </form>`,
  });
}

function scenarioItem(id: ScenarioId): Html {
  const { says } = scenarioOf(id);
  return sandboxHtml`<li>
    <span>${says} <code translate="no">${id}</code></span>
    <button name="scenario" value="${id}" aria-label="Play: ${says}">Play</button>
  </li>`;
}

const isGuarded = (url: string): boolean => URL.canParse(url) && triesGuard(url);

const guardTried = 'The robot also checks that it stays closed to people who have not verified.';
const guardNotKnown =
  'An open page, such as the home page, does not try the guard. Open a guarded page in your app, and it is suggested here.';

/** A run of the robot, as far as it is. */
export interface Run {
  readonly id: string;
  readonly url: string;
  readonly rows: readonly SimulatedScenario[];
  readonly done: boolean;
  /** What made it impossible to go on. */
  readonly problem?: string | undefined;
}

/** What a page of a run has seen: it loads itself again at failures, at the end, and every few rows. */
export function stageOf({ rows, done }: Run): string {
  const failures = rows.filter(({ passed }) => !passed).length;
  return done ? 'done' : `${failures}-${Math.floor(rows.length / 5)}`;
}

/** The figures first, then what failed and what was left out; what passed is folded away. */
export function runPage(run: Run): Html {
  const { id, url, rows, done } = run;
  const failed = rows.filter(({ passed }) => !passed);
  const leftOut = rows.filter((row) => row.leftOut === true);
  const passed = rows.filter((row) => row.passed && row.leftOut !== true);
  const title = 'What your app did';
  return layout({
    title: done ? title : `${title}: ${rows.length} of ${rows.at(-1)?.of ?? 'all'}`,
    wide: true,
    follow: done ? undefined : `/simulate/${id}/changes?seen=${stageOf(run)}`,
    body: sandboxHtml`<h1>${title}</h1>
      <p class="soft" translate="no">${url}</p>
      <p class="summary" role="status">${figures(run, failed.length, leftOut.length)}</p>
      ${!triesGuard(url) && sandboxHtml`<p class="note">${guardNotTried}</p>`}
      ${failed.length > 0 && sandboxHtml`<ol class="messages">${failed.map(runRow)}</ol>`}
      ${leftOut.length > 0 && sandboxHtml`<h2>Left out</h2><ol class="messages">${leftOut.map(runRow)}</ol>`}
      ${
        passed.length > 0 &&
        sandboxHtml`<details id="passed" class="inline">
          <summary>What passed</summary>
          <ol class="messages">
            ${passed.map(runRow)}
          </ol>
        </details>`
      }
      <p class="after"><a href="/simulate">${done ? 'Run again' : 'Another run'}</a></p>`,
  });
}

/** How many did what, or why there are no more of them. */
function figures({ rows, done, problem }: Run, failed: number, leftOut: number): Html {
  const of = rows.at(-1)?.of ?? 0;
  if (!done) return sandboxHtml`<strong>Playing …</strong> ${rows.length} of ${of === 0 ? 'all' : of}`;
  const played = rows.length < of ? ` ${of - rows.length} of ${of} were not played.` : '';
  const passed = `${rows.length - leftOut} passed${leftOut === 0 ? '' : `, ${leftOut} left out`}.`;
  const title = problem ?? (failed === 0 ? passed : `${failed} of ${rows.length} went wrong.`);
  return sandboxHtml`<strong>${title}</strong>${played}`;
}

function runRow({ scenario, says, expected, passed, did, fix, read, leftOut }: SimulatedScenario): Html {
  const word = leftOut === true ? 'left out' : passed ? 'passed' : 'failed';
  const look = leftOut === true ? 'neutral' : passed ? 'good' : 'bad';
  const [, path = '', name = ''] = /^http:\/\/[^/]+(\/(?:errors\/)?(\w+))$/.exec(read ?? '') ?? [];
  return sandboxHtml`<li>
    <p class="head">
      <strong>${says}</strong>
      <span class="badge ${look}">${word}</span>
    </p>
    <p class="soft"><code translate="no">${scenario}</code> ${leftOut !== true && expected}</p>
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

const phases = {
  wallet: 'The person or the wallet',
  proof: 'The proof',
  callback: 'The callback',
  return: 'The return',
  prove: "The service's reply to the start",
} as const;
