import type { Job } from '../service/jobs.js';
import { askedList, keptBack } from './asked.js';
import { hostOf, plannedNote, whoAsks, whyAsked } from './asker.js';
import { html as sandboxHtml } from '../../../internal/html.js';
import { type Page, layout, redirectUrlMissing } from './layout.js';
import { type Waiting, untilExpiry, validUntil } from './notices.js';
import { type Cards, personChoice, shownPerson } from './person-choice.js';
import { scenarioChoice } from './scenario-choice.js';

/** `xx-sandbox`: service and wallet on one page. What is asked, what would be shared, and the decision. */
export const consentPage =
  (job: Job, cards: Cards, waiting: Waiting): Page =>
  (say) => {
    const { request, account, scenario, expiresAt } = job;
    const { person } = cards;
    const stays = keptBack(request, say);
    const title = say.asksForThis(whoAsks(job, say));
    const host = hostOf(job);
    const lists = sandboxHtml`<h2>${say.willBeShared}</h2>
      ${askedList(request, person, say)}
      ${
        stays !== '' &&
        sandboxHtml`<h2>${say.staysInWallet}</h2>
          <p class="soft">${stays}</p>`
      }`;
    return layout({
      title,
      say,
      role: 'wallet',
      ...untilExpiry(waiting),
      body: sandboxHtml`<h1>${title}</h1>
      ${host !== undefined && sandboxHtml`<p class="soft" translate="no">${host}</p>`}
      <p class="soft">${say.onlyWhatIsListed(`${person.given_name} ${person.family_name}`)}</p>
      ${whyAsked(job, say)} ${plannedNote(scenario, say)}
      ${
        account.redirectUrl === undefined
          ? sandboxHtml`${lists} ${redirectUrlMissing(say)}`
          : sandboxHtml`${personChoice(cards, say)}
              <form method="post">
                ${shownPerson(cards)} ${lists}
                <p class="actions">
                  <button class="main" name="decision" value="approve">${say.share}</button>
                  <button name="decision" value="decline">${say.decline}</button>
                </p>
              </form>
              ${validUntil({ expiresAt }, say)}`
      }`,
      after: account.redirectUrl === undefined ? undefined : scenarioChoice(request, scenario, cards, say),
    });
  };
