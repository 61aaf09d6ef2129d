import type { Job } from '../service/jobs.js';
import type { WalletLinks } from '../service/request-object.js';
import type { WalletLeg } from '../service/wallet-request.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { whoAsks, whyAsked } from './asker.js';
import { type Page, layout, redirectUrlMissing } from './layout.js';
import { type Waiting, untilExpiry, validUntil } from './notices.js';
import { qrCode } from '../../../http/wallet/qr-code.js';
import type { SandboxTexts } from './texts/languages.js';

/** Where the wallet is decides who is taken back to the app, so it is asked first. */
export const choicePage =
  (job: Job, waiting: Waiting): Page =>
  (say) => {
    const title = say.asksForData(whoAsks(job, say));
    return layout({
      title,
      say,
      role: 'service',
      ...untilExpiry(waiting),
      body: sandboxHtml`<h1>${title}</h1>
      ${
        job.account.redirectUrl === undefined
          ? redirectUrlMissing(say)
          : sandboxHtml`${whyAsked(job, say)}
              <p>${say.whereIsWallet}</p>
              <form method="post" class="actions">
                <button class="main" name="way" value="link">${say.onThisDevice}</button>
                <button name="way" value="qr">${say.onAnotherDevice}</button>
                ${cancel(job, say)}
              </form>
              ${validUntil(job, say)}`
      }`,
    });
  };

/** Until a wallet has the request, the way to it may be another one. */
export function canChoose({ leg, answer }: Job): boolean {
  return leg !== undefined && !leg.fetched && !leg.closed && answer === undefined;
}

function cancel(job: Job, say: SandboxTexts): Html {
  return sandboxHtml`<button name="way" value="cancel">${say.cancelTo(whoAsks(job, say))}</button>`;
}

/** Below the main action: another device, and the way back. */
function otherWays(job: Job, way: WalletLeg['way'], other: string, say: SandboxTexts): Html {
  return sandboxHtml`<form method="post" class="actions">
    ${canChoose(job) && sandboxHtml`<button name="way" value="${way}">${other}</button>`} ${cancel(job, say)}
  </form>`;
}

export const linkPage =
  (job: Job, links: WalletLinks, follow: string): Page =>
  (say) =>
    layout({
      title: say.openWalletTitle,
      say,
      role: 'service',
      follow,
      body: sandboxHtml`<h1>${say.openWalletTitle}</h1>
      <p>${say.openWalletText(whoAsks(job, say))}</p>
      <p class="actions">
        ${
          links.builtIn === undefined
            ? sandboxHtml`<a class="button main" href="${links.openid4vp}">${say.openWallet}</a>`
            : sandboxHtml`<a class="button main" href="${links.builtIn}">${say.openBuiltIn}</a>`
        }
      </p>
      ${otherWays(job, 'qr', say.useAnotherDevice, say)}${validUntil(job, say)}`,
      after: otherWallets(links, say),
    });

export const qrPage =
  (job: Job, links: WalletLinks, follow: string): Page =>
  (say) => {
    const who = whoAsks(job, say);
    return layout({
      title: say.scanTitle,
      say,
      role: 'service',
      follow,
      body: sandboxHtml`<h1>${say.scanTitle}</h1>
      <p>${say.scanText(who)}</p>
      <p>${say.scanWarning(who)}</p>
      ${qrCode(links.openid4vp, say.scanLabel)}
      <p class="waiting" role="status">${job.leg?.fetched === true ? say.fetched : say.waiting}</p>
      ${validUntil(job, say)}
      ${
        links.builtIn !== undefined &&
        sandboxHtml`<p>
          ${say.noPhone}
          <a href="${links.builtIn}" target="_blank" rel="noopener">${say.openBuiltInWindow}</a>.
        </p>`
      }
      ${otherWays(job, 'link', say.useThisDevice, say)}`,
      after: otherWallets(links, say),
    });
  };

function otherWallets({ openid4vp, haip }: WalletLinks, say: SandboxTexts): Html {
  return sandboxHtml`<details>
    <summary>${say.ownWallet}</summary>
    <div class="inside">
      <p>${say.ownWalletText}</p>
      <p><a href="${openid4vp}">openid4vp://</a> <a href="${haip}">haip-vp://</a></p>
    </div>
  </details>`;
}
