import { encode } from 'uqr';
import { type Job, personMs } from '../jobs.js';
import { type Html, html } from './html.js';
import type { Page } from './layout.js';
import { appOf } from './notices.js';

const words: Readonly<Record<string, string>> = {
  family_name: 'family name',
  given_name: 'first name',
  birth_date: 'date of birth',
  nationality: 'nationality',
};

/** The page while nothing is known: a link to the wallet on this device, or a QR code for the one on another. */
export function waitingPage(job: Job, now: number): Page {
  const app = appOf(job);
  const asked = new Intl.ListFormat('en').format(job.revealed.map((id) => words[id] ?? id));
  const until = job.startedAt + personMs;
  const minutes = Math.max(1, Math.ceil((until - now) / 60_000));
  const left = html`<span data-until="${new Date(until).toISOString()}"
    >for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}</span
  >`;
  return {
    title: `${app} asks for your identity`,
    body: html`<p>Your wallet is asked for: <strong>${asked}</strong>.</p>
      ${job.sameDevice ? linkTo(job.request.link) : codeFor(job.request.link, app)}
      <form method="post"><button>Cancel, and go back to ${app}</button></form>
      <p class="soft">This request is valid ${left}.</p>`,
    reload: job.sameDevice ? 10 : 4,
  };
}

const linkTo = (link: string): Html =>
  html`<p>Your wallet shows you what is shared, and brings you back here.</p>
    <a class="button main" href="${link}">Open my wallet</a>`;

const codeFor = (link: string, app: string): Html =>
  html`<ol>
      <li>Open the wallet app on your phone.</li>
      <li>Scan this code with it.</li>
      <li>Come back here: this page goes on by itself.</li>
    </ol>
    <p class="soft">Scan it only if you have just come from ${app} yourself.</p>
    ${qrCode(link)}
    <p role="status">Waiting for your wallet…</p>
    <p>Is your wallet on this device? <a href="${link}">Open it here</a>, and come back to this page.</p>`;

/** An image without another address. Its border is the quiet zone that the standard asks for. */
function qrCode(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<svg
    viewBox="0 0 ${size} ${size}"
    role="img"
    aria-label="QR code that opens your wallet"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${dark.join('')}" />
  </svg>`;
}
