import { inCapitals } from '../people/claims.js';
import type { PidAttributes } from '../../../types/attributes.js';
import type { Job } from '../service/jobs.js';
import type { Holding } from '../wallet/built-in-wallet.js';
import { askedList, inOneLine, keptBack, row } from './asked.js';
import { hostOf, plannedNote, whoAsks, whyAsked } from './asker.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { type Page, layout } from './layout.js';
import { type Cards, personChoice, shownPerson } from './person-choice.js';
import { type Waiting, again, untilExpiry, validUntil } from './notices.js';
import { scenarioChoice } from './scenario-choice.js';

/** What the wallet's pages show. */
export interface Asking extends Cards {
  readonly job: Job;
  readonly certificate: Certificate;
  readonly waiting: Waiting;
}

/** Who asks, as the wallet knows it. */
export interface Certificate {
  readonly service: string;
  readonly authority: string;
  readonly clientId: string;
}

/** Who asks, for what, and whose identity card answers. */
export const askPage =
  ({ job, certificate, waiting, ...cards }: Asking): Page =>
  (say) => {
    const { request, scenario } = job;
    const host = hostOf(job);
    const asksDerived = request.derived?.nationality !== undefined;
    const shown: Job['request']['revealed'] = asksDerived
      ? [...request.revealed, 'nationality']
      : request.revealed;
    const stays = keptBack({ revealed: shown }, say);
    return layout({
      title: say.shareTitle,
      say,
      role: 'wallet',
      ...untilExpiry(waiting),
      body: sandboxHtml`<h1>${say.shareTitle}</h1>
      <p><strong translate="no">${whoAsks(job, say)}</strong>${host !== undefined && ` (${host})`} ${say.asksThroughService}</p>
      ${whyAsked(job, say)}
      ${plannedNote(scenario, say)}
      ${personChoice(cards, say)}
      <form method="post">
        ${shownPerson(cards)}
        <h2>${say.willBeShared}</h2>
        ${askedList(request, asOnTheCard(cards.person), say)}
        ${asksDerived && sandboxHtml`<p class="soft">${say.notOnCard}</p>`}
        ${
          stays !== '' &&
          sandboxHtml`<h2>${say.staysInWallet}</h2>
            <p class="soft">${stays}, ${say.andMore}</p>`
        }
        <p class="actions">
          <button class="main" name="decision" value="approve">${say.share}</button>
          <button name="decision" value="decline">${say.decline}</button>
        </p>
      </form>
      ${validUntil(job, say)}
      <details class="inline">
        <summary>${say.certificate}</summary>
        <dl class="list">
          ${row(say.certifiedName, certificate.service)} ${row(say.certifiedBy, certificate.authority)}
          ${row(say.mayAsk, inOneLine(Object.values(say.labels), say))}
          ${row(say.clientId, sandboxHtml`<code class="id" translate="no">${certificate.clientId}</code>`)}
        </dl>
      </details>`,
      after: scenarioChoice(request, scenario, cards, say),
    });
  };

/** What is shared is what the card says, letter by letter. */
function asOnTheCard(person: Readonly<PidAttributes>): Readonly<PidAttributes> {
  const { given_name, family_name } = person;
  return { ...person, given_name: inCapitals(given_name), family_name: inCapitals(family_name) };
}

/** What is shared stands here too: Share may have been pressed on a page of another card. */
export const pinPage =
  ({ job, person, triesLeft, lastPin: last }: Holding, pin: string, waiting: Waiting): Page =>
  (say) => {
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
        <p id="hint" class="hint">${pinAlone(say.pinHint(pin), pin)}</p>
        <button class="main" name="decision" value="pin">${say.continue}</button>
        <button name="decision" value="give_up" formnovalidate>${say.cancel}</button>
      </form>
      ${validUntil(job, say)}
      <h2>${say.willBeShared}</h2>
      ${askedList(job.request, asOnTheCard(person), say)}`,
    });
  };

/** A translator of the browser leaves it as it is. */
function pinAlone(hint: string, pin: string): Html {
  const [before, after] = hint.split(pin);
  return sandboxHtml`${before}<span translate="no">${pin}</span>${after}`;
}

export const blockedPage =
  ({ leg }: Job): Page =>
  (say) =>
    layout({
      title: say.blockedTitle,
      say,
      role: 'wallet',
      body: sandboxHtml`<h1>${say.blockedTitle}</h1>
      <p>${say.blockedText}</p>
      <form method="post" class="actions">
        <button class="main" name="decision" value="blocked">${leg?.way === 'qr' ? say.continue : say.backToApp}</button>
      </form>`,
    });

export const donePage =
  (job: Job, shared: boolean): Page =>
  (say) =>
    layout({
      title: say.doneTitle,
      say,
      role: 'wallet',
      body: sandboxHtml`<h1>${say.doneTitle}</h1>
      <p>${shared ? say.doneShared : say.doneNotShared} ${job.leg?.way === 'qr' && say.doneNow}</p>
      ${job.leg?.way === 'link' && again(say.continueToApp)}`,
    });
