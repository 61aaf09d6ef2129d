import { scenarioOf } from '../scenarios/catalogue.js';
import {
  codeOf,
  formatElapsed,
  type Message,
  type TimelineFlow,
  type TimelinePart,
} from '../timeline/timeline.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { row } from './asked.js';
import { checkSection, checkSummary } from './checks.js';
import { codeLink } from './error-code.js';
import { badge, formatTime, headingOf, written } from './flow-words.js';
import { layout } from './layout.js';
import { sequence } from './sequence.js';
import { heldFor, nowYou, storedBy } from './play.js';

/** Every message of a verification, in order, without a secret or an attribute. */
export function flowPage(flow: TimelineFlow): Html {
  const { id, issuer, startedAt, scenario, messages, state, duration, stop } = flow;
  return layout({
    title: `${headingOf(flow)}, ${formatElapsed(duration)}`,
    wide: true,
    follow: `/timeline/${id}/changes?seen=${flow.version}`,
    body: sandboxHtml`<h1>${headingOf(flow)}</h1>
      <p>${badge(state)} <span class="soft">${state === 'waiting' ? 'for' : 'after'} ${formatElapsed(duration)}, begun at ${formatTime(startedAt)}${issuer === '' ? '' : ` for ${issuer}`}</span></p>
      ${codeOf(flow) !== undefined && sandboxHtml`<p class="soft">Support code <code translate="no">${codeOf(flow)}</code>, as in the app's log</p>`}
      ${scenario === 'approve' ? undefined : sandboxHtml`<p class="soft">${scenario}: ${scenarioOf(scenario).says}</p>`}
      ${summary(flow)} ${heldFor(flow)} ${stop !== undefined && nowYou('Now be another of the three.')}
      ${sequence(flow)}
      ${checkSection(flow)}
      <h2>Every message</h2>
      <ol class="messages">
        ${messages.map((it, index) => message(it, index, messages[index - 1]?.at ?? startedAt))}
      </ol>
      <p class="soft">
        Secrets and attributes are hidden. Of what your app stores, only yes, no and null are shown.
      </p>`,
  });
}

/** What was asked, shared, checked and stored: what one wants to know of a verification, before how it went. */
function summary(flow: TimelineFlow): Html | undefined {
  const { asked } = flow;
  if (asked.length === 0) return undefined;
  return sandboxHtml`<dl class="list facts">
    ${row('Asked', written(asked))}
    ${row('Shared', sharedIn(flow))}
    ${row('Checked', checkSummary(flow))} ${row('Stored', storedBy(flow))}
  </dl>`;
}

function sharedIn({ shared, elsewhere, state }: TimelineFlow): string {
  if (shared === undefined && elsewhere) return 'Not known here: another wallet answered.';
  if (shared === undefined && state === 'waiting') return 'Nothing yet.';
  return shared === undefined || shared.length === 0 ? 'Nothing.' : written(shared);
}

function message(
  { at, what, from, to, line, sent, status, received, fault }: Message & { at: Date },
  index: number,
  before: Date,
): Html {
  const isGood = status !== undefined && status < 400 && fault === undefined;
  return sandboxHtml`<li>
    <p class="head"><strong>${what}</strong> <span>${from} → ${to}</span> <time>${formatTime(at)}, +${formatElapsed(at.getTime() - before.getTime())}</time></p>
    <p>
      ${/^[A-Z]+ /.test(line) ? sandboxHtml`<code translate="no">${line}</code>` : line}${status === undefined ? undefined : sandboxHtml` <span class="badge ${isGood ? 'good' : 'bad'}">${isGood || status >= 400 ? status : `refused (HTTP ${status})`}</span>`}
    </p>
    ${
      fault &&
      sandboxHtml`<div class="fault">
        <p>${fault.happened}</p>
        <p>${fault.fix} ${fault.code !== undefined && codeLink(fault.code)}</p>
      </div>`
    }
    ${part(`sent-${index}`, 'Sent', sent)} ${part(`received-${index}`, 'Received', received)}
  </li>`;
}

function part(id: string, label: string, content: TimelinePart | undefined): Html | undefined {
  if (content === undefined) return undefined;
  const headers = Object.entries(content.headers).map(([name, value]) => `${name}: ${value}\n`);
  const text = `${headers.join('')}${content.body === undefined ? '' : `\n${content.body}`}`.trim();
  return text === ''
    ? undefined
    : sandboxHtml`<details id="${id}">
        <summary>${label}</summary>
        <pre translate="no" tabindex="0">${text}</pre>
      </details>`;
}
