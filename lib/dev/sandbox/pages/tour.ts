import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import type { Service } from '../service/service.js';
import { type TourStop, tour } from '../service/tour.js';
import type { TimelineFlow } from '../timeline/timeline.js';
import { badge } from './flow-words.js';

/** Three links into the app, and what came of each. */
export function tourSection({ app, timeline }: Pick<Service, 'app' | 'timeline'>): Html {
  const where =
    app.name === undefined ? 'in your app' : sandboxHtml`in <strong translate="no">${app.name}</strong>`;
  return sandboxHtml`<h2 id="try">Try it</h2>
    <p>
      Three verifications of a minute each. They begin and end ${where}. Come back to this page after each: its
      timeline shows what was asked, shared, checked and stored.
    </p>
    <ul class="tour">
      ${tour.map((stop) =>
        stopCard(
          stop,
          timeline.flows.find((flow) => flow.stop === stop.id),
        ),
      )}
    </ul>`;
}

function stopCard({ id, title, action, says }: TourStop, flow: TimelineFlow | undefined): Html {
  return sandboxHtml`<li>
    <h3>${title}</h3>
    <p>${says}</p>
    ${flow && outcome(flow, title)}
    <a class="button ${flow === undefined ? 'main' : 'other'}" href="/try/${id}">${action}</a>
  </li>`;
}

function outcome(flow: TimelineFlow, title: string): Html {
  const { judged, told, state } = flow;
  const check = told.refusal?.check ?? judged?.failed;
  return sandboxHtml`<p>
    ${badge(state)} ${state === 'refused' && check !== undefined && sandboxHtml`by check <strong translate="no">${check}</strong>`}
    ${told.confirmed && told.kept !== undefined && sandboxHtml`stored <code translate="no">${told.kept}</code>`}
    </p>
    <p><a href="/timeline/${flow.id}" aria-label="The timeline: ${title}">The timeline</a></p>`;
}

/** The way on from the timeline of a stop. */
export function nextStop({ stop }: TimelineFlow): Html | undefined {
  if (stop === undefined) return undefined;
  const next = tour[tour.findIndex(({ id }) => id === stop) + 1];
  return sandboxHtml`<p class="next">
    ${
      next === undefined
        ? sandboxHtml`<a class="button main" href="/simulate">Next: every scenario, played by a robot</a>`
        : sandboxHtml`<a class="button main" href="/try/${next.id}">Next: ${next.title}</a>`
    }
    <a href="/#try">The tour</a>
  </p>`;
}
