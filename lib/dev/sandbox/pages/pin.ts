import type { Job } from '../service/jobs.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { askedList } from './asked.js';
import { type Page, layout } from './layout.js';
import { type Waiting, untilExpiry, validUntil } from './notices.js';
import { onTheCard } from './consent.js';

/** The one PIN of all the sandbox's cards. */
export const sandboxPin = '123456';

/** What is shared stands here too: Share may have been pressed on a page of another card. */
export const pinPage =
  (job: Job, waiting: Waiting): Page =>
  (say) => {
    const { triesLeft, last } = job.pin;
    const title = last === 'wrong' ? say.pinWrong : say.pinTitle;
    const problem =
      last === 'wrong' ? say.triesLeft(triesLeft) : last && `${say.pinDigits} ${say.notCounted}`;
    return layout({
      title,
      say,
      role: 'wallet',
      ...untilExpiry(waiting),
      body: sandboxHtml`<h1>${title}</h1>
      <p>
        ${problem === undefined ? say.pinProves : sandboxHtml`<span id="wrong" role="alert">${problem}</span>`}
      </p>
      <form method="post" class="actions">
        <label for="pin">${say.pinLabel}</label>
        <input
          id="pin"
          name="pin"
          type="password"
          inputmode="numeric"
          autocomplete="off"
          maxlength="6"
          pattern="[0-9]{6}"
          title="${say.pinDigits}"
          required
          autofocus
          aria-describedby="${problem === undefined ? 'hint' : 'wrong hint'}"
          ${problem && sandboxHtml`aria-invalid="true"`}
        />
        <p id="hint" class="hint">${pinAlone(say.pinHint(sandboxPin))}</p>
        <button class="main" name="decision" value="pin">${say.continue}</button>
        <button name="decision" value="give_up" formnovalidate>${say.cancel}</button>
      </form>
      ${validUntil(job, say)}
      <h2>${say.willBeShared}</h2>
      ${askedList(job.request, onTheCard(job), say)}`,
    });
  };

/** A translator of the browser leaves it as it is. */
function pinAlone(hint: string): Html {
  const [before, after] = hint.split(sandboxPin);
  return sandboxHtml`${before}<span translate="no">${sandboxPin}</span>${after}`;
}

export const blockedPage: Page = (say) =>
  layout({
    title: say.blockedTitle,
    say,
    role: 'wallet',
    body: sandboxHtml`<h1>${say.blockedTitle}</h1>
      <p>${say.blockedText}</p>
      <form method="post" class="actions">
        <button class="main" name="decision" value="blocked">${say.backToApp}</button>
      </form>`,
  });
