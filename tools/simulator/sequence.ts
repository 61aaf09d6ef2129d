import { withDarkColours } from '../dark.mjs';

/** Draws a trace of the simulator as a sequence diagram: who sends what to whom, one row for each line of the trace. */
export function sequenceDiagram(title: string, trace: readonly string[]): string {
  const rows = rowsOf(trace);
  const parties = order.filter((party) => rows.some((row) => row.from === party || row.to === party));
  const others = rows
    .flatMap(({ from, to }) => [from, to])
    .filter((name) => name !== '' && !order.includes(name));
  const people = [...new Set(others)].toSorted();
  const columns = [...people, ...parties];
  const x = (party: string): number => 90 + columns.indexOf(party) * columnWidth;
  const width = 180 + (columns.length - 1) * columnWidth;
  const height = 70 + rows.length * rowHeight;
  const heads = columns.map(
    (party) =>
      `<text x="${x(party)}" y="42" text-anchor="middle" font-weight="bold">${escaped(party)}</text>` +
      `<line x1="${x(party)}" y1="50" x2="${x(party)}" y2="${height - 10}" stroke="#9aa5b5"/>`,
  );
  const drawn = rows.map((row, at) => drawRow(row, 50 + (at + 1) * rowHeight, x, width));
  return withDarkColours(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="Helvetica, Arial, sans-serif" font-size="11" fill="#1f2a3a">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="10" y="18" font-size="13">${escaped(title)}</text>
${[...heads, ...drawn].join('\n')}
</svg>
`);
}

/** Words are not crossed by the lines that they stand on. */
const clear = 'stroke="white" stroke-width="4" paint-order="stroke"';
const columnWidth = 165;
const rowHeight = 22;
/** The people's browsers and wallets stand left of these. */
const order = ['app, process one', 'app, process two', 'session store', 'flow store'];

interface Row {
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly kind: 'asks' | 'answers' | 'notes' | 'breaks';
}

/** What the lines say; those that say nothing to a reader are left out. */
function rowsOf(trace: readonly string[]): Row[] {
  const rows: Row[] = [];
  /** Which process works at each request. */
  const places = new Map<string, string>();
  const process = (name = ''): string => `app, process ${name.startsWith('two') ? 'two' : 'one'}`;
  const shortened = (path: string): string => path.replace('/identity', '').replace(/\?form=.*/, '');
  for (const line of trace) {
    const [, text = ''] = /^\s*[\d.]+\s+(.*)$/.exec(line) ?? [];
    const call = /^(flows|sessions)\.(\w+) (\S+) for (.+?)(?:(: .*)| ?(\(.*\))? → (.*))$/.exec(text);
    const answer = /^((\w+) (?:GET|POST) \S+) → (\w+)$/.exec(text);
    const asked = /^((\w+) (GET|POST) (\S+)) on (\S+)/.exec(text);
    const wallet = /^((\w+)'s wallet) for start \d+: (.*?) (?:to (\S+)|→ (\w+))$/.exec(text);
    const last = rows.at(-1);
    if (call !== null) {
      const [, engine, operation, id = '', request = '', lost = '', fault = '', result = ''] = call;
      const from = places.get(request.replace(/,.*/, '').replace(/ for start.*/, '')) ?? process();
      const to = engine === 'flows' ? 'flow store' : 'session store';
      const label = `${operation} ${id} ${lost}${fault} ${result === 'nothing' && operation !== 'get' ? '' : result}`;
      rows.push({ from, to, label: label.trim(), kind: 'asks' });
    } else if (asked !== null) {
      const [, request = '', browser = '', method, path = '', machine] = asked;
      places.set(request, process(machine));
      rows.push({ from: browser, to: process(machine), label: `${method} ${shortened(path)}`, kind: 'asks' });
    } else if (answer !== null) {
      const [, request = '', browser = '', status = ''] = answer;
      rows.push({ from: places.get(request) ?? process(), to: browser, label: status, kind: 'answers' });
    } else if (wallet !== null) {
      const [, from = '', , what = '', machine, status] = wallet;
      if (machine !== undefined) places.set(from, process(machine));
      const at = places.get(from) ?? process();
      if (status === undefined) rows.push({ from, to: at, label: what, kind: 'asks' });
      else rows.push({ from: at, to: from, label: status, kind: 'answers' });
    } else if (text.startsWith('!!')) {
      rows.push({ from: '', to: '', label: text.slice(3), kind: 'breaks' });
    } else if (last !== undefined && !/^(event|the service)/.test(text)) {
      rows.push({ from: '', to: '', label: text, kind: 'notes' });
    }
  }
  return rows;
}

function drawRow(
  { from, to, label, kind }: Row,
  y: number,
  x: (party: string) => number,
  width: number,
): string {
  if (kind === 'notes' || kind === 'breaks') {
    const colour = kind === 'breaks' ? '#b3261e' : '#5b6b80';
    const weight = kind === 'breaks' ? ' font-weight="bold"' : '';
    return `<text x="${width / 2}" y="${y}" text-anchor="middle" fill="${colour}"${weight} ${clear}>${escaped(label)}</text>`;
  }
  const [start, end] = [x(from), x(to)];
  const side = Math.sign(end - start);
  const dash = kind === 'answers' ? ' stroke-dasharray="4 3"' : '';
  const tip = `M${end - side * 7} ${y - 4}L${end} ${y}L${end - side * 7} ${y + 4}`;
  return (
    `<path d="M${start} ${y}H${end}" stroke="#2f4f7f" fill="none"${dash}/><path d="${tip}" stroke="#2f4f7f" fill="none"/>` +
    `<text x="${start + side * 8}" y="${y - 4}" text-anchor="${side > 0 ? 'start' : 'end'}" ${clear}>${escaped(label)}</text>`
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
