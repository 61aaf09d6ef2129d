import type { AnswerKind, Transition } from '../../lib/flow/transition.js';
import { transitions } from '../../lib/flow/transitions.js';

const answers: Record<AnswerKind, string> = {
  wallet: '303 to the wallet',
  reply: "200, an address of this flow's own",
  error_reply: '200, the address of the error page',
  closed_reply: '200, the one address that all closed flows share',
  later: '503 with `Retry-After`',
  problem: "the error's status, as JSON",
  released: '303 into the app',
  try_again: 'the page "try again": the same address works again',
  hop: 'a page that goes on to the same address by itself, at most twice',
  start_again: 'the page "start again in the browser where you began"',
  error_page: 'the error page, or JSON',
};

/** The table of what can happen to a flow, as Markdown, for docs/architecture.md. */
export function lifeTable(): string {
  const head = ['when', 'what happens', 'flow', 'hook', 'answer', 'event'];
  const rows = Object.entries<Transition>(transitions).map(([name, row]) => [
    `\`${name}\``,
    row.when,
    row.to === undefined ? 'stays' : row.to === 'none' ? 'no record' : `→ ${row.to}`,
    row.hook === undefined ? '–' : `\`${row.hook}\``,
    answers[row.answer],
    row.event === undefined ? '–' : `\`${row.event}\``,
  ]);
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}
