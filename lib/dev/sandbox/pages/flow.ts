import { scenarioOf } from '../scenarios/catalogue.js';
import {
  formatElapsed,
  type FlowState,
  type Message,
  type TimelineFlow,
  type TimelinePart,
} from '../timeline/timeline.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { codeLink } from './error-code.js';
import { layout } from './layout.js';
import { sequence } from './sequence.js';

/** The sandbox runs where its developer is, so this is their time. */
export function formatTime(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(date);
}

const looks: Readonly<Record<FlowState, string>> = {
  verified: 'good',
  declined: 'neutral',
  refused: 'bad',
  expired: 'neutral',
  waiting: 'neutral',
};

/** What happened, in a word. */
export function badge(state: FlowState): Html {
  return sandboxHtml`<span class="badge ${looks[state]}">${state}</span>`;
}

export function askedBy({ asked }: TimelineFlow): string {
  return asked.length === 0 ? 'not understood' : asked.join(', ');
}

/** Every message of a verification, in order, without a secret or an attribute. */
export function flowPage(flow: TimelineFlow): Html {
  const { id, issuer, startedAt, scenario, messages, curl, state, duration } = flow;
  return layout({
    title: `${askedBy(flow)}: ${state}, ${formatElapsed(duration)}`,
    wide: true,
    follow: `/timeline/${id}/changes?seen=${messages.length}${state}`,
    body: sandboxHtml`<h1>${askedBy(flow)}</h1>
      <p>${badge(state)} <span class="soft">${state === 'waiting' ? 'for' : 'after'} ${formatElapsed(duration)}, begun at ${formatTime(startedAt)}${issuer === '' ? '' : ` for ${issuer}`}</span></p>
      ${scenario === 'approve' ? undefined : sandboxHtml`<p class="soft">${scenario}: ${scenarioOf(scenario).says}</p>`}
      ${sequence(flow)}
      <ol class="messages">
        ${messages.map((it, index) => message(it, index, messages[index - 1]?.at ?? startedAt))}
      </ol>
      ${curl !== undefined && sandboxHtml`<p><a href="/timeline/${id}/curl">The callback as a curl command</a></p>`}
      <p class="soft">
        Secrets and attributes are hidden. The response to the last redirect cannot be seen from here.
      </p>`,
  });
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
      <code>${line}</code
      >${status === undefined ? undefined : sandboxHtml` <span class="badge ${isGood ? 'good' : 'bad'}">${status}</span>`}
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
        <pre tabindex="0">${text}</pre>
      </details>`;
}
