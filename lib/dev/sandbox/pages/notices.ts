import type { ScenarioId } from '../scenarios/catalogue.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import type { Job } from '../service/jobs.js';
import { type Page, layout } from './layout.js';
import type { Notice, SandboxTexts } from './texts/en.js';

/** The short pages. */
export const notices = {
  gone: notice((say) => say.gone, 'service'),
  expired: ended((say) => say.expired),
  expiredInWallet: ended((say) => say.expired, 'wallet'),
  nothingHere: notice((say) => say.nothingHere),
  otherSite: notice((say) => say.otherSite),
  noDecision: notice((say) => say.noDecision),
  unreadable: notice((say) => say.unreadable),
  tooLarge: notice((say) => say.tooLarge),
  internal: notice((say) => say.internal),
  answeredOtherwise: notice((say) => say.answeredOtherwise),
  elsewhere: ended((say) => say.elsewhere),
  answeredElsewhere: ended((say) => say.answeredElsewhere),
  walletStops: (reason: string): Page =>
    notice((say) => [say.walletStops, say.refusal(reason)], 'wallet', false),
  over:
    (id: ScenarioId | 'wallet_error'): Page =>
    (say) => {
      const [title, text] = say.over;
      return layout({
        title,
        say,
        role: 'service',
        body: sandboxHtml`<h1>${title}</h1>
        <p>${done(id, say)} ${text}</p>
        ${again(say.continueToApp)}`,
      });
    },
  sending:
    (id: ScenarioId | 'wallet_error', follow?: string): Page =>
    (say) => {
      const [title, text] = say.sending;
      return layout({
        title,
        say,
        role: 'service',
        follow,
        body: sandboxHtml`<h1>${title}</h1>
        <p>${done(id, say)} ${text}</p>
        ${follow === undefined ? again(say.continue) : undefined}`,
      });
    },
};

/** The same answer once more: joins, repeats or redirects, whichever fits. */
export function again(label: string): Html {
  return sandboxHtml`<form method="post" class="actions">
    <button class="main" name="decision" value="again">${label}</button>
  </form>`;
}

/** Where nothing is left to do but in the app. */
export function backToApp({ account }: Job, say: SandboxTexts): Html | undefined {
  if (account.redirectUrl === undefined) return undefined;
  const { origin, host } = new URL(account.redirectUrl);
  return sandboxHtml`<p class="actions"><a class="button main" href="${origin}/">${say.backTo(host)}</a></p>`;
}

function ended(choose: (say: SandboxTexts) => Notice, role: 'service' | 'wallet' = 'service') {
  return (job: Job): Page =>
    (say) => {
      const [title, text] = choose(say);
      return layout({
        title,
        say,
        role,
        body: sandboxHtml`<h1>${title}</h1>
        <p>${text}</p>
        ${backToApp(job, say)}`,
      });
    };
}

function notice(
  choose: (say: SandboxTexts) => Notice,
  role: 'service' | 'wallet' | 'desk' = 'desk',
  hasAddress = true,
): Page {
  return (say) => {
    const [title, text] = choose(say);
    return layout({
      title,
      say,
      role,
      hasAddress,
      body: sandboxHtml`<h1>${title}</h1>
      <p>${text}</p>`,
    });
  };
}

function done(id: ScenarioId | 'wallet_error', say: SandboxTexts): string {
  if (id === 'approve') return say.youShared;
  if (id === 'wallet_error') return say.walletFailed;
  return id === 'declined' ? say.youDeclined : say.youChose(say.says(id));
}
