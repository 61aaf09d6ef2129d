import { type AnswerKind, type Transition, transitions } from '../../lib/flow/transitions.js';

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

/** What can happen to a flow, as a list in Markdown, for docs/architecture.md. */
export function lifeList(): string {
  const lines = Object.entries<Transition>(transitions).map(([name, row]) => {
    const told = [row.hook, row.event].flatMap((part) => (part === undefined ? [] : [`\`${part}\``]));
    const status = row.to === undefined ? '' : ` (${row.to})`;
    return `- \`${name}\`${status}: ${row.when}. ${[`_${answered(row)}_`, ...told].join(', ')}`;
  });
  return lines.join('\n');
}
