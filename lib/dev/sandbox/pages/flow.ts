import { scenarioOf } from '../scenarios/catalogue.js';
import type { TimelineFlow, Message, TimelinePart } from '../timeline/timeline.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';

export function formatTime(date: Date): string {
  return date.toISOString().slice(11, 23);
}

/** Where a flow is, in a few words. */
export function flowState({ messages, scenario }: TimelineFlow): string {
  const failed = messages.some(({ fault }) => fault !== undefined);
  const steps = `${messages.length} ${messages.length === 1 ? 'message' : 'messages'}`;
  const played = scenario === 'approve' ? '' : `, ${scenario}`;
  return `${steps}${played}${failed ? ', something went wrong' : ''}`;
}

/** Every message of a verification, in order, without a secret or an attribute. */
export function flowPage(flow: TimelineFlow): Html {
  const { id, issuer, startedAt, scenario, messages, curl } = flow;
  return layout({
    title: `Verification at ${formatTime(startedAt)}`,
    wide: true,
    follow: `/timeline/${id}/changes?seen=${messages.length}`,
    body: sandboxHtml`<h1>Verification at ${formatTime(startedAt)}</h1>
      <p class="soft">
        ${issuer === '' ? 'Refused at the start' : issuer}.
        ${scenario === 'approve' ? '' : `${scenario}: ${scenarioOf(scenario).says}`}
      </p>
      <ol class="messages">
        ${messages.map(message)}
      </ol>
      ${curl !== undefined && sandboxHtml`<p><a href="/timeline/${id}/curl">The callback as a curl command</a></p>`}
      <p class="soft">
        Secrets and attributes are hidden. The answer to the last redirect is not seen from here.
      </p>`,
  });
}

function message({ at, what, from, to, line, sent, status, received, fault }: Message & { at: Date }): Html {
  return sandboxHtml`<li>
    <p class="head"><strong>${what}</strong> <span>${from} → ${to}</span> <time>${formatTime(at)}</time></p>
    <p>
      <code>${line}</code
      >${status === undefined ? undefined : sandboxHtml` <span class="${status < 400 ? 'good' : 'bad'}">${status}</span>`}
    </p>
    ${
      fault &&
      sandboxHtml`<div class="fault">
        <p>${fault.happened}</p>
        <p>${fault.fix}</p>
      </div>`
    }
    ${part('Sent', sent)} ${part('Received', received)}
  </li>`;
}

function part(label: string, content: TimelinePart | undefined): Html | undefined {
  if (content === undefined) return undefined;
  const headers = Object.entries(content.headers).map(([name, value]) => `${name}: ${value}\n`);
  const text = `${headers.join('')}${content.body === undefined ? '' : `\n${content.body}`}`.trim();
  return text === ''
    ? undefined
    : sandboxHtml`<details>
        <summary>${label}</summary>
        <pre tabindex="0">${text}</pre>
      </details>`;
}
