import type { Job } from '../service/jobs.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';
import { qrCode } from './qr.js';
import { redirectUrlMissing } from './redirect-url-missing.js';

/** The three ways to open a wallet with one request. */
export interface WalletLinks {
  readonly openid4vp: string;
  readonly haip: string;
  /** The sandbox's own wallet, where the request can reach it. */
  readonly builtIn: string | undefined;
}

function whoAsks({ account }: Job): string {
  return account.redirectUrl === undefined ? 'An app' : new URL(account.redirectUrl).host;
}

/** Where the wallet is decides who is taken back to the app, so it is asked first. */
export function choicePage(job: Job): Html {
  const who = whoAsks(job);
  return layout({
    title: `${who} asks for your identity`,
    role: 'service',
    body: sandboxHtml`<h1>${who} asks for your identity</h1>
      ${
        job.account.redirectUrl === undefined
          ? redirectUrlMissing()
          : sandboxHtml`<p>Your wallet will show what is asked for. Where is it?</p>
              <form method="post" class="actions">
                <button class="main" name="way" value="link">On this device</button>
                <button name="way" value="qr">On another device</button>
              </form>`
      }`,
  });
}

export function linkPage(job: Job, links: WalletLinks, follow: string): Html {
  return layout({
    title: 'Open your wallet',
    role: 'service',
    follow,
    body: sandboxHtml`<h1>Open your wallet</h1>
      <p>It shows what ${whoAsks(job)} asks for. Nothing is shared before you agree there.</p>
      <p class="actions">
        ${
          links.builtIn === undefined
            ? sandboxHtml`<a class="button main" href="${links.openid4vp}">Open your wallet</a>`
            : sandboxHtml`<a class="button main" href="${links.builtIn}">Open the sandbox's wallet</a>`
        }
      </p>`,
    after: otherWallets(links),
  });
}

export function qrPage(job: Job, links: WalletLinks, follow: string): Html {
  return layout({
    title: 'Scan this with your phone',
    role: 'service',
    follow,
    body: sandboxHtml`<h1>Scan this with your phone</h1>
      <p>
        Your wallet then shows what ${whoAsks(job)} asks for. Keep this page open: it takes you on when you
        have agreed.
      </p>
      ${qrCode(links.openid4vp, 'QR code that opens your wallet')}
      <p class="waiting" role="status">Waiting for your wallet …</p>
      ${
        links.builtIn !== undefined &&
        sandboxHtml`<p>
          No phone at hand?
          <a href="${links.builtIn}" target="_blank" rel="noopener"
            >Open the sandbox's wallet in a new window</a
          >.
        </p>`
      }
      <p class="soft">
        Scan only if you began this yourself, just now, at ${whoAsks(job)}. If somebody sent you this code,
        close the page.
      </p>`,
    after: otherWallets(links),
  });
}

function otherWallets({ openid4vp, haip }: WalletLinks): Html {
  return sandboxHtml`<details>
    <summary>Use a wallet of your own</summary>
    <div class="inside">
      <p>A wallet that trusts this sandbox opens with one of these links.</p>
      <p><a href="${openid4vp}">openid4vp://</a> <a href="${haip}">haip-vp://</a></p>
    </div>
  </details>`;
}
