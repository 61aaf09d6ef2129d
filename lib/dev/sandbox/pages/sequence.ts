import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { formatElapsed, type TimelineFlow } from '../timeline/timeline.js';

const lanes = ['browser', 'app', 'service', 'wallet'];
const laneWidth = 84;
const timeWidth = 48;
const rowHeight = 38;
const top = 34;
const width = timeWidth + laneWidth * lanes.length;

/** The messages of a flow between the four, from the top down, with the time between them. The list below has them all. */
export function sequence({ messages, startedAt }: TimelineFlow): Html {
  const height = top + messages.length * rowHeight + 14;
  const before = [startedAt, ...messages.map(({ at }) => at)];
  return sandboxHtml`<svg class="sequence" viewBox="0 0 ${width} ${height}" role="img" aria-label="${summaryOf(messages.length)}">
    ${lanes.map(
      (lane) => sandboxHtml`<text class="lane" x="${laneAt(lane)}" y="16">${lane}</text>
        <line class="life" x1="${laneAt(lane)}" y1="24" x2="${laneAt(lane)}" y2="${height - 6}" />`,
    )}
    ${messages.map(({ what, from, to, status, fault, at }, index) => {
      const y = top + (index + 1) * rowHeight - 10;
      const [start, end] = [laneAt(from), laneAt(to)];
      const side = Math.sign(end - start);
      const bad = fault !== undefined || (status !== undefined && status >= 400);
      return sandboxHtml`<g class="${bad ? 'wrong' : 'right'}">
        <text class="time" x="2" y="${y}">+${formatElapsed(at.getTime() - (before[index] ?? at).getTime())}</text>
        <path d="M${start} ${y}H${end}M${end - side * 7} ${y - 4}L${end} ${y}L${end - side * 7} ${y + 4}" />
        <text x="${(start + end) / 2}" y="${y - 6}">${what}${status === undefined ? '' : ` ${status}`}${bad ? ' !' : ''}</text>
      </g>`;
    })}
  </svg>`;
}

function summaryOf(count: number): string {
  return `${count === 1 ? 'The message' : `The ${count} messages`} between browser, app, service and wallet`;
}

function laneAt(lane: string): number {
  return timeWidth + laneWidth * (lanes.indexOf(lane) + 0.5);
}
