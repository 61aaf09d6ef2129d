import { type Service } from '../service/service.js';
import { formatElapsed, type FlowState, type TimelineFlow } from '../timeline/timeline.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout, redirectUrlMissing } from './layout.js';
import { badge, formatTime, titleOf } from './flow.js';
import { row } from './asked.js';

/** The page at the sandbox's address: how it is set up, and what has happened in this run. */
export function homePage({ accounts, variant, upcoming, timeline }: Service, shown: unknown): Html {
  const { redirectUrl } = accounts.working;
  const { person, scenario } = upcoming;
  return layout({
    title: 'The identity verification service, on this machine',
    wide: true,
    follow: `/changes?seen=${changesOf(timeline.flows)}`,
    body: sandboxHtml`<h1>The identity verification service, on this machine</h1>
      <p class="soft">Start a verification in your app: it leads to a page here.</p>
      <dl class="list">
        ${row('Issuers', 'xx-sandbox, de-ausweis (simulated)')}
        ${row('Person', `${person.given_name} ${person.family_name}`.slice(0, 60))} ${row('Variant', variant)}
        ${redirectUrl !== undefined && row('Redirect URL', redirectUrl)}
        ${scenario !== undefined && row('The next flow', scenario)}
      </dl>
      ${redirectUrl === undefined && redirectUrlMissing()}
      <h2 id="timeline">Verifications in this run</h2>
      ${timeline.flows.length === 0 ? sandboxHtml`<p class="soft">None yet.</p>` : flowList(timeline.flows, shown)}
      <h2>More</h2>
      <ul class="plain">
        <li><a href="/simulate">Try your app with every scenario</a></li>
        <li><a href="/scenarios">What each scenario is</a></li>
        <li><a href="/openapi.json">The interface, as OpenAPI</a></li>
      </ul>`,
  });
}

/** What a page of the list has seen, so that it can tell whether it is out of date. */
export function changesOf(flows: readonly TimelineFlow[]): string {
  return `${flows[0]?.id ?? ''}${flows.filter(({ state }) => state === 'waiting').length}`;
}

const states: readonly FlowState[] = ['verified', 'declined', 'refused', 'expired', 'waiting'];

function flowList(flows: readonly TimelineFlow[], shown: unknown): Html {
  const chosen = states.find((state) => state === shown);
  const there = states.filter((state) => flows.some((flow) => flow.state === state));
  const link = (state: FlowState | undefined): Html => {
    const count = flows.filter((flow) => state === undefined || flow.state === state).length;
    const to = state === undefined ? '/#timeline' : `/?show=${state}#timeline`;
    return sandboxHtml`<a href="${to}" ${state === chosen ? sandboxHtml`aria-current="true"` : undefined}>${state ?? 'all'} ${count}</a>`;
  };
  return sandboxHtml`${there.length > 1 || chosen !== undefined ? sandboxHtml`<p class="filter">${[undefined, ...there].map(link)}</p>` : undefined}
    <ol class="flows">
      ${flows.filter(({ state }) => chosen === undefined || state === chosen).map(flowItem)}
    </ol>`;
}

function flowItem(flow: TimelineFlow): Html {
  const { id, startedAt, issuer, state, duration, scenario } = flow;
  return sandboxHtml`<li>
    <p class="head">
      <a href="/timeline/${id}">${formatTime(startedAt)} ${titleOf(flow)}</a> ${badge(state)}
    </p>
    <p class="soft">
      ${state === 'waiting' ? 'for' : 'after'} ${formatElapsed(duration)}${issuer === '' ? '' : `, ${issuer}`}${scenario === 'approve' ? '' : `, scenario ${scenario}`}
    </p>
  </li>`;
}
