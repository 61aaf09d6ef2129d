import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { formatElapsed, type Message, type TimelineFlow } from '../timeline/timeline.js';

const lanes = ['browser', 'app', 'service', 'wallet'];
const laneWidth = 84;
const timeWidth = 48;
const rowHeight = 38;
const top = 34;
const loop = 16;
/** Right of the lanes, for a loop at the last one and its label. */
const loopRoom = 30;
const width = timeWidth + laneWidth * lanes.length + loopRoom;

/**
 * The steps of a flow from the top down, as in docs/diagrams/flow.svg, with the time between them: messages between the
 * four, and the person's decision at the wallet. The list below has them all.
 */
export function sequence({ messages, startedAt }: TimelineFlow): Html {
  const height = top + messages.length * rowHeight + 14;
  const before = [startedAt, ...messages.map(({ at }) => at)];
  return sandboxHtml`<svg class="sequence" viewBox="0 0 ${width} ${height}" role="img" aria-label="${summaryOf(messages.length)}">
    ${lanes.map(
      (lane) => sandboxHtml`<text class="lane" x="${laneAt(lane)}" y="16">${lane}</text>
        <line class="life" x1="${laneAt(lane)}" y1="24" x2="${laneAt(lane)}" y2="${height - 6}" />`,
    )}
    ${messages.map((message, index) => {
      const y = top + (index + 1) * rowHeight - 10;
      const elapsed = message.at.getTime() - (before[index] ?? message.at).getTime();
      return sandboxHtml`<g class="${isBad(message) ? 'wrong' : 'right'}">
        <text class="time" x="2" y="${y}">+${formatElapsed(elapsed)}</text>
        ${message.from === 'person' ? decision(message, y) : arrow(message, y)}
      </g>`;
    })}
  </svg>`;
}

const isBad = ({ fault, status }: Message): boolean =>
  fault !== undefined || (status !== undefined && status >= 400);

/** Where nothing answers, the arrow ends on its way, in a cross. */
function arrow(message: Message, y: number): Html {
  const { what, from, to, status } = message;
  const [start, goal] = [laneAt(from), laneAt(to)];
  const side = Math.sign(goal - start);
  const isLost = status === undefined && isBad(message);
  const end = isLost ? (start + goal) / 2 : goal;
  const head = isLost
    ? `M${end - 5} ${y - 5}L${end + 5} ${y + 5}M${end - 5} ${y + 5}L${end + 5} ${y - 5}`
    : `M${end - side * 7} ${y - 4}L${end} ${y}L${end - side * 7} ${y + 4}`;
  const how = isLost ? 'lost' : isBad(message) && status === 200 ? 'refused' : status;
  const label = `${what}${how === undefined ? '' : ` ${how}`}`;
  return sandboxHtml`<path d="M${start} ${y}H${end}${head}" />
    <text x="${(start + goal) / 2}" y="${y - 6}">${label}</text>`;
}

/** What a person does at the wallet stays there: a loop. Its label is right of it, in two lines, where nothing is. */
function decision({ what, to }: Message, y: number): Html {
  const x = laneAt(to);
  const head = `M${x + 7} ${y + 1}L${x} ${y + 5}L${x + 7} ${y + 9}`;
  const [who, ...does] = what.split(' ');
  return sandboxHtml`<path d="M${x} ${y - 9}h${loop}v14h${-loop}${head}" />
    <text class="decision" x="${x + loop + 5}" y="${y - 4}">${who}</text>
    <text class="decision" x="${x + loop + 5}" y="${y + 9}">${does.join(' ')}</text>`;
}

function summaryOf(count: number): string {
  return `${count === 1 ? 'The step' : `The ${count} steps`} between browser, app, service and wallet`;
}

function laneAt(lane: string): number {
  return timeWidth + laneWidth * (lanes.indexOf(lane) + 0.5);
}
