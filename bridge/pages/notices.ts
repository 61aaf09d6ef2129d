import type { Job } from '../jobs.js';
import { html } from './html.js';
import type { Page } from './layout.js';

/** Who asks: the host that the callback goes to. */
export const appOf = ({ redirectUrl }: Pick<Job, 'redirectUrl'>): string => new URL(redirectUrl).host;

const wayBack = (job: Job) =>
  html`<a class="button" href="${new URL(job.redirectUrl).origin}">Go to ${appOf(job)}</a>`;

export const gonePage: Page = {
  title: 'This page is over',
  body: html`<p>
    There is no such request, or its time is over. Go back to the website that you came from, and start again
    there.
  </p>`,
};

export const failedPage: Page = {
  title: 'This did not work',
  body: html`<p>Something failed on our side. Load this page again in a moment.</p>`,
};

export const elsewherePage = (job: Job): Page => ({
  title: 'This page is open in another browser',
  body: html`<p>For your safety it works only in the browser that opened it first. Go on in that one.</p>
    <p>If somebody sent you this address, do not go on: your identity would count as theirs.</p>
    ${wayBack(job)}`,
});

export const sendingPage = (job: Job): Page => ({
  title: `Your answer is on its way to ${appOf(job)}`,
  body: html`<p role="status">You need not do anything. This page goes on by itself.</p>`,
  reload: 3,
});

export const refusedPage = (job: Job): Page => ({
  title: `${appOf(job)} could not take your answer`,
  body: html`<p>
      The answer could not be delivered, and nothing of it is kept here. Start again at ${appOf(job)}. If it
      happens again, tell them.
    </p>
    ${wayBack(job)}`,
});
