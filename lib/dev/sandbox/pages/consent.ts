import type { Job } from '../service/jobs.js';
import { askedList, keptBack } from './asked.js';
import { hostOf, plannedNote, whoAsks, whyAsked } from './asker.js';
import { html as sandboxHtml } from '../../../internal/html.js';
import type { PidAttributes } from '../../../types/attributes.js';
import { inCapitals } from '../people/claims.js';
import { germanIssuer } from '../profile.js';
import { type Page, layout, redirectUrlMissing } from './layout.js';
import { type Waiting, untilExpiry, validUntil } from './notices.js';
import { type Cards, personChoice, shownPerson } from './person-choice.js';
import { scenarioChoice } from './scenario-choice.js';

/** What the card of the flow says, letter by letter: the German one is in capitals. */
export function onTheCard({ request, person }: Pick<Job, 'request' | 'person'>): Readonly<PidAttributes> {
  if (request.issuer !== germanIssuer) return person;
  const { given_name, family_name } = person;
  return { ...person, given_name: inCapitals(given_name), family_name: inCapitals(family_name) };
}

/** Service and wallet on one page. What is asked, what would be shared, and the decision. */
export const consentPage =
  (job: Job, cards: Cards, waiting: Waiting): Page =>
  (say) => {
    const { request, account, scenario, expiresAt } = job;
    const { person } = cards;
    const isStated = request.issuer === germanIssuer && request.derived?.nationality !== undefined;
    const stays = keptBack(request, say);
    const title = say.asksForThis(whoAsks(job, say));
    const host = hostOf(job);
    const lists = sandboxHtml`<h2>${say.willBeShared}</h2>
      ${askedList(request, onTheCard(job), say)}
      ${isStated && sandboxHtml`<p class="soft">${say.notOnCard}</p>`}
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
