import {
  type AnswerKind,
  stepOf,
  type Transition,
  type TransitionName,
  transitions,
} from '../lib/flow/transitions.js';

const answers: Record<AnswerKind, string> = {
  wallet: '303 to the wallet',
  reply: "200, the flow's address",
  error_reply: "200, the error page's address",
  closed_reply: '200, the shared address',
  later: '503 with `Retry-After`',
  problem: "the error's status, as JSON",
  release: '303 into the app',
  redirect: '303 into the app, or to the error page',
  try_again: '"try again"',
  reload: 'the redirect page',
  start_again: '"start again"',
  request: '200, the signed request',
  error_page: 'the error page, or JSON',
};

function answered({ answer, toWallet }: Transition): string {
  return toWallet === undefined ? answers[answer] : `${answers[answer]}; to a wallet, ${answers[toWallet]}`;
}

/** What can happen to a flow, as tables in Markdown, for docs/architecture.md. */
export function lifeTables(): string {
  const steps = { start: 'At the start', callback: 'In the callback', return: 'At the return' } as const;
  return Object.entries(steps)
    .map(([step, heading]) => {
      const rows = Object.entries<Transition>(transitions)
        .filter(([name]) => stepOf(name as TransitionName) === step)
        .map(([name, row]) => {
          const told = [row.hook, row.event].flatMap((part) => (part === undefined ? [] : [`\`${part}\``]));
          return `| \`${name}\` | ${row.to ?? ''} | ${row.when} | ${answered(row)} | ${told.join(', ')} |\n`;
        });
      return `| ${heading} | Status | What happened | Response | Hook, event |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`;
    })
    .join('\n');
}
