import { cpus } from 'node:os';

/** What was measured on, in a line. */
export function machine() {
  return `${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}`;
}

/** A table in Markdown, the first column to the left and the others to the right. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column].length), 3));
  const line = (row) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(cells[0]), rule, ...cells.slice(1).map(line)].join('\n');
}

/** What ratios come to: the median, the half of the rounds in the middle, and the bar, if there is one. */
export function ratioTable(ratios) {
  const rows = ratios.map(({ what, median, low, high, atLeast, atMost }) => [
    what,
    median.toFixed(2),
    `${low.toFixed(2)}–${high.toFixed(2)}`,
    atLeast === undefined ? (atMost ?? '') && `at most ${atMost}` : `at least ${atLeast}`,
    median < (atLeast ?? 0) || median > (atMost ?? Infinity) ? 'missed' : '',
  ]);
  return table(['', 'median', 'half of the rounds', 'bar', ''], rows);
}
