import { type Job, personMs } from '../jobs.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';
import { qrCode } from './qr-code.js';
import { fill, type Texts } from './texts.js';

/** The page while nothing is known: a link to the wallet on this device, or a QR code for the one on another. */
export function waitingPage(texts: Texts, job: Job, now: number, isGivenOnce: boolean): Page {
  const { sameDevice, app } = job;
  const say = (text: string): string => fill(text, { app: app.name });
  const until = job.startedAt + personMs;
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  const end = html`<span data-until="${new Date(until).toISOString()}" data-text="${texts.validUntil}"
    >${fill(texts.validFor, { minutes: String(minutes) })}</span
  >`;
  const names = texts as unknown as Readonly<Record<string, string>>;
  return {
    name: 'waiting',
    lang: texts.lang,
    title: say(texts.asks),
    reload: sameDevice ? 10 : 4,
    body: () =>
      html`<div class="${sameDevice ? '' : 'columns'}">
        <div>
          <p>${texts.asked}</p>
          <ul>
            ${job.revealed.map((id) => html`<li><strong>${names[id] ?? id}</strong></li> `)}
          </ul>
          ${sameDevice ? linkTo(texts, job.request.link) : steps(texts, say)}
          <form method="post"><button>${say(texts.cancel)}</button></form>
          <p class="soft">${end} ${isGivenOnce ? texts.usedOnce : ''}</p>
        </div>
        ${sameDevice ? undefined : codeFor(texts, job.request.link)}
      </div>`,
  };
}

const linkTo = ({ comesBack, openWallet }: Texts, link: string): Html =>
  html`<p>${comesBack}</p>
    <a class="button main" href="${link}">${openWallet}</a>`;

const steps = (texts: Texts, say: (text: string) => string): Html =>
  html`<ol>
      ${texts.steps.map((step) => html`<li>${step}</li> `)}
    </ol>
    <p class="warning">${say(texts.warning)}</p>`;

const codeFor = ({ code, waiting, onThisDevice: [question, open] }: Texts, link: string): Html =>
  html`<div class="code">
    ${qrCode(link, code)}
    <p role="status">${waiting}</p>
    <p class="soft">${question} <a href="${link}">${open}</a></p>
  </div>`;
