import { inCapitals } from '../people/claims.js';
import type { Character } from '../people/people.js';
import type { PidAttributes, Variant } from '../../../types/attributes.js';
import type { Job } from '../service/jobs.js';
import { askedList, keptBack } from './asked.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';
import { scenarioChoice } from './scenario-choice.js';

/** What the wallet's pages show. */
export interface Asking {
  readonly job: Job;
  readonly clientId: string;
  readonly people: Readonly<Record<string, Character>>;
  /** A name from the list; undefined for a person from code. */
  readonly chosen: string | undefined;
  readonly person: Readonly<PidAttributes>;
  readonly variant: Variant;
}

/** Who asks, for what, and whose identity card answers. */
export function askPage({ job, clientId, people, chosen, person, variant }: Asking): Html {
  const { request, scenario } = job;
  const asksDerived = request.derived?.nationality !== undefined;
  const stays = keptBack({ revealed: asksDerived ? [...request.revealed, 'nationality'] : request.revealed });
  return layout({
    title: 'Share your identity?',
    role: 'wallet',
    body: sandboxHtml`<h1>Share your identity?</h1>
      <p>The sandbox's identity service asks, with the certificate <code class="id">${clientId}</code></p>
      <form method="post" class="person">
        <label for="person">Whose identity card is this?</label>
        <select id="person" name="person">
          ${chosen === undefined ? sandboxHtml`<option value="">${person.given_name} ${person.family_name}, from your code</option>` : undefined}
          ${Object.entries(people).map(([name, { person: one, reason }]) => option(name, one, reason, name === chosen))}
        </select>
        <button name="decision" value="person">Change card</button>
      </form>
      <h2>Will be shared</h2>
      ${askedList(request, asOnTheCard(person), variant)}
      ${
        asksDerived &&
        sandboxHtml`<p class="soft">
          The card has no such answer: the service sees the nationalities, and passes on yes or no.
        </p>`
      }
      ${
        stays !== '' &&
        sandboxHtml`<h2>Stays in the wallet</h2>
          <p class="soft">${stays}, address and more</p>`
      }
      <form method="post" class="actions">
        <button class="main" name="decision" value="approve">Share</button>
        <button name="decision" value="decline">Decline</button>
      </form>`,
    after: scenarioChoice(request, scenario),
  });
}

function option(name: string, person: Readonly<PidAttributes>, reason: string, selected: boolean): Html {
  const who = `${person.given_name} ${person.family_name}`.slice(0, 40);
  return sandboxHtml`<option value="${name}" ${selected ? sandboxHtml`selected` : undefined}>${who}: ${reason}</option>`;
}

/** What is shared is what the card says, letter by letter. */
function asOnTheCard(person: Readonly<PidAttributes>): Readonly<PidAttributes> {
  const { given_name, family_name } = person;
  return { ...person, given_name: inCapitals(given_name), family_name: inCapitals(family_name) };
}

export function pinPage(pin: string, triesLeft: number, wrong: boolean): Html {
  const tries = triesLeft === 1 ? 'one try' : `${triesLeft} tries`;
  return layout({
    title: wrong ? 'That PIN is wrong' : 'Enter your PIN',
    role: 'wallet',
    body: sandboxHtml`<h1>${wrong ? 'That PIN is wrong' : 'Enter your PIN'}</h1>
      <p>
        ${wrong ? `You have ${tries} left. After that the card is blocked.` : 'It proves that the card is yours.'}
      </p>
      <form method="post" class="actions">
        <label for="pin">PIN of your identity card</label>
        <input
          id="pin"
          name="pin"
          type="password"
          inputmode="numeric"
          autocomplete="off"
          maxlength="6"
          aria-describedby="hint"
          ${wrong ? sandboxHtml`aria-invalid="true"` : undefined}
        />
        <p id="hint" class="hint">In the sandbox it is always ${pin}.</p>
        <button class="main" name="decision" value="pin">Continue</button>
        <button name="decision" value="give_up">Cancel</button>
      </form>`,
  });
}

export function blockedPage(): Html {
  return layout({
    title: 'This card is blocked',
    role: 'wallet',
    body: sandboxHtml`<h1>This card is blocked</h1>
      <p>
        You entered a wrong PIN three times. With a real card you would unblock it with the PUK from your PIN
        letter.
      </p>
      <form method="post" class="actions">
        <button class="main" name="decision" value="blocked">Back to the app</button>
      </form>`,
  });
}

export function donePage(shared: boolean): Html {
  return layout({
    title: 'Done',
    role: 'wallet',
    body: sandboxHtml`<h1>Done</h1>
      <p>
        ${shared ? 'Your answer was sent.' : 'Nothing was shared, and the app was told so.'} Go on in the
        browser where you began. You can close this page.
      </p>`,
  });
}
