import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import type { KnownApp } from '../service/known-app.js';
import type { Service } from '../service/service.js';
import { type TourStop, tour } from '../service/tour.js';
import { formatElapsed, stoppedBy, type TimelineFlow } from '../timeline/timeline.js';
import { inPlainWords } from '../../inspect/check-words.js';
import { row } from './asked.js';
import { written } from './flow-words.js';
import { layout } from './layout.js';

/** What the robot has seen of one of the three. */
export interface Act {
  readonly stop: TourStop;
  readonly flow?: TimelineFlow;
  /** The last page of the app, and whether it opened. */
  readonly page?: { readonly path: string; readonly opened: boolean };
  readonly problem?: string;
}

/** On the first screen: one press, or three links for people who want to hold the wallet. */
export function playSection({ app }: Pick<Service, 'app'>): Html {
  return sandboxHtml`<section id="try">
    <h2>A yes, a no and a forgery</h2>
    <p>A robot verifies three times ${inApp(app)}: as Erika, as Leon, who is 17, and with a forged card. It takes about a second.</p>
    <form method="post" action="/play" class="actions"><button class="main">Play all three</button></form>
    ${nowYou('Or be one of them yourself, with the wallet. If it asks for a PIN: 123456.')}
  </section>`;
}

/** The three side by side. */
export function playedPage(acts: readonly Act[], { app, timeline }: Pick<Service, 'app' | 'timeline'>): Html {
  const title = 'One question, three answers';
  return layout({
    title,
    wide: true,
    follow: acts.every((act) => isTold(act, app)) ? undefined : `/changes?seen=${timeline.version}`,
    body: sandboxHtml`<h1>${title}</h1>
      <p>A robot has just walked through three verifications ${inApp(app)}.</p>
      <ul class="acts">
        ${acts.map(actCard)}
      </ul>
      <section class="end">
        ${nowYou('Now you, with the wallet in your hands. If it asks for a PIN: 123456.')}
        <form method="post" action="/play" class="actions"><button>Play all three again</button></form>
      </section>`,
  });
}

/** Links into the app's own start; each forgets who was there before. */
export function nowYou(sentence: string): Html {
  return sandboxHtml`<p class="you">${sentence}</p>
    <p class="people">${tour.map(({ id, action }) => sandboxHtml`<a class="button other" href="/try/${id}">${action}</a>`)}</p>`;
}

const inApp = ({ name }: KnownApp): Html | string =>
  name === undefined ? 'in your app' : sandboxHtml`in <strong translate="no">${name}</strong>`;

/** What an app tells comes a moment after the last page. */
function isTold({ flow }: Act, { name }: KnownApp): boolean {
  if (flow === undefined || name === undefined) return true;
  const { told, state } = flow;
  if (state === 'verified') return told.confirmed === true || told.stopped !== undefined;
  return state !== 'refused' || told.refusal !== undefined;
}

function actCard({ stop, flow, page, problem }: Act): Html {
  return sandboxHtml`<li>
    <h2>${stop.title}</h2>
    <p class="soft">${stop.says}</p>
    ${
      flow === undefined
        ? sandboxHtml`<p class="fault">${problem}</p>`
        : sandboxHtml`<dl>
              ${row('Asked', written(flow.asked))} ${row('Shared', written(flow.shared ?? []))}
              ${row('Checked', tally(flow))} ${row('Stored', storedBy(flow))}
            </dl>
            <p class="outcome ${looks[outcomeOf(flow, page)[0]]}">${outcomeOf(flow, page)[1]}</p>
            ${heldFor(flow)}
            <p><a href="/timeline/${flow.id}" aria-label="Every step: ${stop.title}">Every step</a></p>`
    }
  </li>`;
}

/** How many checks passed, and the number of the one that did not. */
function tally({ judged, told }: TimelineFlow): string {
  if (judged === undefined) return 'by your own trust entry alone';
  const passed = judged.checks.filter(({ state }) => state === 'passed').length;
  const failed = told.refusal?.check ?? judged.failed;
  return `${passed} checks ✓${failed === undefined ? '' : `, ${failed} ✗`}`;
}

const looks = { yes: 'good', no: 'neutral', refused: 'bad' } as const;

/** The verdict of checks and app in a sentence. */
function outcomeOf(flow: TimelineFlow, page: Act['page']): [keyof typeof looks, string] {
  if (flow.state !== 'verified') {
    const check = stoppedBy(flow);
    return ['refused', check === undefined ? 'Not verified.' : `Refused: ${inPlainWords(check)} (${check})`];
  }
  if (page?.opened === true) return ['yes', `Yes: ${page.path} opens.`];
  return ['no', `No: the proof is good, and ${page?.path ?? 'the page'} stays closed.`];
}

/** What the app keeps, as far as it tells. */
export function storedBy({ state, told }: TimelineFlow): Html | string {
  const { kept, confirmed, stopped, question } = told;
  if (confirmed === true) {
    return kept === undefined
      ? 'Nothing about the person: the issuer, the time and the number of the receipt.'
      : sandboxHtml`<code translate="no">${kept}</code>`;
  }
  if (stopped !== undefined) return `Nothing: the app ended it with ${stopped}.`;
  if (state === 'waiting') return 'Nothing yet.';
  if (state !== 'verified') return 'Nothing.';
  return question === undefined
    ? 'Not known here: the app tells it where it runs with pidgate dev.'
    : 'Nothing yet: the browser has not come back.';
}

/** How long what was shared was in the app, and what is left of it. */
export function heldFor(flow: TimelineFlow): Html | undefined {
  const { shared = [], held, told } = flow;
  if (shared.length === 0 || held === undefined) return undefined;
  return sandboxHtml`<p class="held">
    ${written(shared)}: in this app for <strong>${formatElapsed(held)}</strong>, from the callback to the release. What
    is left of it: ${told.kept === undefined ? 'nothing' : sandboxHtml`<code translate="no">${told.kept}</code>`}.
  </p>`;
}
