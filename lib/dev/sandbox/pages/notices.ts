import { isChoosableId, type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import type { Job } from '../service/jobs.js';
import type { RefusalReason } from '../wallet/wallet.js';
import { type Page, layout } from './layout.js';
import type { Notice, SandboxTexts } from './texts/languages.js';

/** The short pages. */
export const notices = {
  /** Nobody knows which app it was: it is the one that this sandbox is for. */
  gone: (account: Job['account']): Page => ended((say) => say.gone)({ account }),
  expired,
  walletStops: (reason: RefusalReason): Page =>
    notice((say) => [say.walletStops, say.refusals[reason]], 'wallet'),
  noFlow: notice((say) => say.noFlow),
  nothingHere: notice((say) => say.nothingHere),
  otherSite: notice((say) => say.otherSite),
  noDecision: notice((say) => say.noDecision),
  unreadable: notice((say) => say.unreadable),
  tooLarge: notice((say) => say.tooLarge),
  internal: notice((say) => say.internal),
  answeredOtherwise: notice((say) => say.answeredOtherwise),
  over:
    (id: ScenarioId | 'wallet_error', goesOn = true): Page =>
    (say) => {
      const [title, text] = goesOn ? say.over : say.overElsewhere;
      return layout({
        title,
        say,
        role: 'wallet',
        body: sandboxHtml`<h1>${title}</h1>
        <p>${done(id, say)} ${text}</p>
        ${goesOn && again(say.continueToApp)}`,
      });
    },
  sending:
    (id: ScenarioId | 'wallet_error'): Page =>
    (say) => {
      const [title, text] = say.sending;
      return layout({
        title,
        say,
        role: 'wallet',
        body: sandboxHtml`<h1>${title}</h1>
        <p>${done(id, say)} ${text}</p>
        ${again(say.continue)}`,
      });
    },
};

/** The same answer once more: joins, repeats or redirects, whichever fits. */
export function again(label: string): Html {
  return sandboxHtml`<form method="post" class="actions">
    <button class="main" name="decision" value="again">${label}</button>
  </form>`;
}

/** A form that ends in time shows until when, and tells when that is over. */
export function untilExpiry({ expiresAt, now, follow }: Waiting) {
  return { follow, reload: Math.max(2000, expiresAt - now) };
}

/** What a page with a form knows of its end. */
export interface Waiting {
  readonly expiresAt: number;
  readonly now: number;
  /** The stream that tells when it has come. */
  readonly follow: string;
}

/** Where the sandbox runs is where its developer is, so this is their time. */
export function validUntil({ expiresAt }: Pick<Job, 'expiresAt'>, say: SandboxTexts): Html {
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' }).format(expiresAt);
  return sandboxHtml`<p class="soft">${say.validUntil(time)}</p>`;
}

/** The button tells the app that its request has timed out, and leads to what the app says of that. */
function expired(job: Job): Page {
  return (say) => {
    const [title, text] = say.expired;
    return layout({
      title,
      say,
      role: 'wallet',
      body: sandboxHtml`<h1>${title}</h1>
      <p>${text}</p>
      ${
        job.account.redirectUrl === undefined
          ? backToApp(job, say)
          : sandboxHtml`<form method="post" class="actions">
              <button class="main" name="way" value="back">${say.backTo(new URL(job.account.redirectUrl).host)}</button>
            </form>`
      }`,
    });
  };
}

/** Where nothing is left to do but in the app. */
export function backToApp({ account }: Pick<Job, 'account'>, say: SandboxTexts): Html | undefined {
  if (account.redirectUrl === undefined) return undefined;
  const { origin, host } = new URL(account.redirectUrl);
  return sandboxHtml`<p class="actions"><a class="button main" href="${origin}/">${say.backTo(host)}</a></p>`;
}

function ended(choose: (say: SandboxTexts) => Notice) {
  return (job: Pick<Job, 'account'>): Page =>
    (say) => {
      const [title, text] = choose(say);
      return layout({
        title,
        say,
        role: 'wallet',
        body: sandboxHtml`<h1>${title}</h1>
        <p>${text}</p>
        ${backToApp(job, say)}`,
      });
    };
}

function notice(choose: (say: SandboxTexts) => Notice, role: 'wallet' | 'desk' = 'desk'): Page {
  return (say) => {
    const [title, text] = choose(say);
    return layout({
      title,
      say,
      role,
      body: sandboxHtml`<h1>${title}</h1>
      <p>${text}</p>`,
    });
  };
}

function done(id: ScenarioId | 'wallet_error', say: SandboxTexts): string {
  if (id === 'approve') return say.youShared;
  if (id === 'wallet_error') return say.walletFailed;
  if (id === 'declined') return say.youDeclined;
  return say.youChose(isChoosableId(id) ? say.scenarios[id] : scenarioOf(id).says);
}
