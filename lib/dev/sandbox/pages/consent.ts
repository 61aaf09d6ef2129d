import type { Job } from '../service/jobs.js';
import { askedList, keptBack } from './asked.js';
import { html as sandboxHtml } from '../../../internal/html.js';
import { type Page, layout, redirectUrlMissing } from './layout.js';
import { type Waiting, untilExpiry, validUntil } from './notices.js';
import { scenarioChoice } from './scenario-choice.js';

/** `xx-sandbox`: service and wallet on one page. What is asked, what would be shared, and the decision. */
export const consentPage =
  ({ request, account, person, scenario, expiresAt }: Job, waiting: Waiting): Page =>
  (say) => {
    const who = account.redirectUrl === undefined ? say.anApp : new URL(account.redirectUrl).host;
    const stays = keptBack(request, say);
    const title = say.asksForThis(who);
    return layout({
      title,
      say,
      role: 'wallet',
      ...untilExpiry(waiting),
      body: sandboxHtml`<h1>${title}</h1>
      <p class="soft">${say.onlyWhatIsListed(`${person.given_name} ${person.family_name}`)}</p>
      <h2>${say.willBeShared}</h2>
      ${askedList(request, person, say)}
      ${
        stays !== '' &&
        sandboxHtml`<h2>${say.staysInWallet}</h2>
          <p class="soft">${stays}</p>`
      }
      ${
        account.redirectUrl === undefined
          ? redirectUrlMissing(say)
          : sandboxHtml`<form method="post" class="actions">
              <button class="main" name="decision" value="approve">${say.share}</button>
              <button name="decision" value="decline">${say.decline}</button>
            </form>
            ${validUntil({ expiresAt }, say)}`
      }`,
      after: account.redirectUrl === undefined ? undefined : scenarioChoice(request, scenario, say),
    });
  };
