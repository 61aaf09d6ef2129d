import { type Service } from '../service/service.js';
import { formatElapsed, type FlowState, type TimelineFlow } from '../timeline/timeline.js';
import { scenarioOf } from '../scenarios/catalogue.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout, redirectUrlMissing } from './layout.js';
import { badge, formatTime, isNamed, titleOf, written } from './flow-words.js';
import { row } from './asked.js';
import { playSection } from './play.js';

/** The page at the sandbox's address: what to try, and what has happened in this run. */
export function homePage(service: Service, shown: unknown): Html {
  const { accounts, timeline, access } = service;
  const people = timeline.flows.filter(({ robot }) => !robot);
  const title =
    access === undefined ? 'The identity service, on this machine' : 'The wallet, on this machine';
  return layout({
    title,
    wide: true,
    follow: `/changes?seen=${timeline.version}`,
    body: sandboxHtml`<h1>${title}</h1>
      ${access === undefined && accounts.working.redirectUrl === undefined ? redirectUrlMissing() : playSection(service)}
      <h2 id="timeline">Verifications in this run</h2>
      ${people.length === 0 ? sandboxHtml`<p class="soft">None yet.</p>` : flowList(people, shown, service)}
      ${robotRuns(
        timeline.flows.filter(({ robot }) => robot),
        service,
      )}
      <h2>More</h2>
      <ul class="plain">
        <li>Every scenario: <code translate="no">npx pidgate simulate --all --url</code> and a guarded page</li>
        ${access === undefined && sandboxHtml`<li><a href="/openapi.json">The interface, as OpenAPI</a></li>`}
      </ul>
      ${settings(service)}`,
  });
}

function settings({ accounts, access, variant, upcoming }: Service): Html {
  const { redirectUrl } = accounts.working;
  const { person, scenario } = upcoming;
  return sandboxHtml`<details id="settings" class="inline">
    <summary>Settings</summary>
    <dl class="list facts">
      ${access === undefined ? row('Issuers', 'xx-sandbox, de-ausweis (simulated)') : row('Issuer', 'de-ausweis (simulated)')}
      ${row('Person', `${person.given_name} ${person.family_name}`.slice(0, 60))} ${access === undefined && row('Variant', variant)}
      ${redirectUrl !== undefined && row('Redirect URL', redirectUrl)}
      ${scenario !== undefined && row('The next flow', scenario)}
    </dl>
  </details>`;
}

const states: readonly FlowState[] = ['verified', 'declined', 'refused', 'expired', 'waiting'];

/** How many flows there are of a state, or of all. */
function countOf(flows: readonly TimelineFlow[], state: FlowState | undefined): number {
  return flows.filter((flow) => state === undefined || flow.state === state).length;
}

function flowList(flows: readonly TimelineFlow[], wanted: unknown, service: Service): Html {
  const chosen = states.find((state) => state === wanted);
  const shown = flows.filter(({ state }) => chosen === undefined || state === chosen);
  // Somebody who began again left the one before.
  const isAbandoned = (flow: TimelineFlow): boolean =>
    flow !== flows[0] && (flow.state === 'waiting' || flow.state === 'expired');
  const abandoned = shown.filter(isAbandoned);
  const there = states.filter((state) => countOf(flows, state) > 0);
  const link = (state: FlowState | undefined): Html => {
    const to = state === undefined ? '/#timeline' : `/?show=${state}#timeline`;
    return sandboxHtml`<a href="${to}" ${state === chosen ? sandboxHtml`aria-current="true"` : undefined}>${state ?? 'all'} ${countOf(flows, state)}</a>`;
  };
  return sandboxHtml`${there.length > 1 || chosen !== undefined ? sandboxHtml`<p class="filter">${[undefined, ...there].map(link)}</p>` : undefined}
    <ol class="flows">
      ${shown.filter((flow) => chosen !== undefined || !isAbandoned(flow)).map((flow) => flowItem(flow, service))}
    </ol>
    ${chosen === undefined && folded('abandoned', `${abandoned.length} not finished`, abandoned, service)}`;
}

/** A list that would bury the others. */
function folded(
  id: string,
  summary: string,
  flows: readonly TimelineFlow[],
  service: Service,
): Html | undefined {
  if (flows.length === 0) return undefined;
  return sandboxHtml`<details id="${id}" class="inline">
    <summary>${summary}</summary>
    <ol class="flows">
      ${flows.map((flow) => flowItem(flow, service))}
    </ol>
  </details>`;
}

/** One run of all scenarios would bury what people have done. */
function robotRuns(flows: readonly TimelineFlow[], service: Service): Html | undefined {
  if (flows.length === 0) return undefined;
  const counts = states.flatMap((state) =>
    countOf(flows, state) === 0 ? [] : `${countOf(flows, state)} ${state}`,
  );
  return folded('robot', `${flows.length} of the robot: ${counts.join(', ')}`, flows, service);
}

function flowItem(flow: TimelineFlow, { app }: Service): Html {
  const { id, startedAt, issuer, state, duration, scenario, page, told } = flow;
  const about = [
    ...(app.name === undefined ? [] : [app.name]),
    ...(isNamed(flow) ? [written(flow.asked)] : []),
    `${state === 'waiting' ? 'for' : 'after'} ${formatElapsed(duration)}`,
    ...(issuer === '' ? [] : [issuer]),
  ];
  return sandboxHtml`<li>
    <p class="head">
      <a href="/timeline/${id}">${formatTime(startedAt)} ${titleOf(flow)}</a> ${badge(state)}
      ${told.confirmed === true && told.kept !== undefined && sandboxHtml`<code translate="no">${told.kept}</code>`}
    </p>
    <p class="soft">${about.join(', ')}</p>
    ${scenario !== 'approve' && sandboxHtml`<p class="soft">${scenarioOf(scenario).says} (${scenario})</p>`}
    ${state === 'waiting' && page !== undefined && sandboxHtml`<p><a href="${page}">Back to the wallet</a></p>`}
  </li>`;
}
