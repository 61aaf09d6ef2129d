import { type Service } from '../service/service.js';
import type { TimelineFlow } from '../timeline/timeline.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';
import { redirectUrlMissing } from './redirect-url-missing.js';
import { flowState, formatTime } from './flow.js';
import { row } from './asked.js';

/** For whoever opens the sandbox's own address: how it is set up, and what has happened in this run. */
export function homePage({ accounts, variant, upcoming, timeline }: Service): Html {
  const { redirectUrl } = accounts.working;
  const { person, scenario } = upcoming;
  return layout({
    title: 'The identity verification service, on this machine',
    wide: true,
    follow: `/changes?seen=${timeline.flows[0]?.id ?? ''}`,
    body: sandboxHtml`<h1>The identity verification service, on this machine</h1>
      <p class="soft">Start a verification in your app: it leads to a page here.</p>
      <dl class="list">
        ${row('Issuers', 'xx-sandbox, de-ausweis (simulated)')}
        ${row('Person', `${person.given_name} ${person.family_name}`.slice(0, 60))} ${row('Variant', variant)}
        ${redirectUrl !== undefined && row('Redirect URL', redirectUrl)}
        ${scenario !== undefined && row('The next flow', scenario)}
      </dl>
      ${redirectUrl === undefined && redirectUrlMissing()}
      <h2 id="timeline">Verifications of this run</h2>
      ${timeline.flows.length === 0 ? sandboxHtml`<p class="soft">None yet.</p>` : flowList(timeline.flows)}
      <h2>More</h2>
      <ul class="plain">
        <li><a href="/simulate">Try your app with every scenario</a></li>
        <li><a href="/scenarios">The scenarios, as JSON</a></li>
        <li><a href="/openapi.json">The interface, as OpenAPI</a></li>
      </ul>`,
  });
}

function flowList(flows: readonly TimelineFlow[]): Html {
  return sandboxHtml`<ol class="flows">
    ${flows.map(
      (flow) =>
        sandboxHtml`<li>
          <a href="/timeline/${flow.id}">${formatTime(flow.startedAt)}</a>
          ${flow.issuer === '' ? 'refused at the start' : flow.issuer}
          <span class="soft">${flowState(flow)}</span>
        </li>`,
    )}
  </ol>`;
}
