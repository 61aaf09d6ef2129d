import type { RequestConfiguration } from '../../options/requests.js';
import type { AttributeId, DerivedId } from '../../contracts/attributes.js';
import { html, type Markup } from './escape.js';
import type { Page } from './page.js';

const labels: Record<AttributeId, string> = {
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Date of birth',
  nationality: 'Nationality',
};

const questions: Record<DerivedId, (value: string) => string> = {
  nationality: (value) => `Whether you hold the nationality of ${countryOf(value)}`,
};

const countries = new Intl.DisplayNames('en', { type: 'region' });

function countryOf(code: string): string {
  return (/^[A-Z]{2}$/.test(code) && countries.of(code)) || code;
}

export interface StartPage {
  readonly request: RequestConfiguration;
  /** Where the form is sent; where it is absent, to the page's own address. */
  readonly action: string | undefined;
  /** How long something stays in the session; absent where nothing does. */
  readonly keepFor: number | undefined;
  readonly sandbox: boolean;
  /** Set where a start was refused because it did not come from a page of this app. */
  readonly refused?: boolean;
}

/** Tells what is asked, why, and what is kept, before anything happens. Opening it has no effect. */
export function startPage({ request, action, keepFor, sandbox, refused = false }: StartPage): Page {
  const { reveal, derived, purpose, keep } = request;
  const asked = Object.entries(derived) as [DerivedId, string][];
  return {
    status: refused ? 403 : 200,
    title: 'Prove who you are',
    mark: 'shield',
    body: html`
      ${refused && note('The verification was not started from this page. Please start it here.')}
      <p class="lead">
        ${purpose ?? 'This site asks you to confirm your identity with your identity wallet.'}
      </p>
      <h2>What you will be asked to share</h2>
      <ul>
        ${reveal.map((id) => html`<li>${labels[id]}</li>`)}
        ${asked.map(([id, value]) => html`<li>${questions[id](value)} <span>only yes or no</span></li>`)}
      </ul>
      ${keepFor !== undefined && whatIsKept(keep !== undefined, keepFor)}
      <form method="post" ${action !== undefined && html`action="${action}"`}>
        <button class="button" type="submit">Continue to my wallet</button>
      </form>
      <p class="soft">Your wallet shows the same list again. Nothing is shared until you agree there.</p>
      ${sandbox && note('Test mode: a sandbox stands in for the identity service. It proves nothing about anyone.')}
    `,
  };
}

function whatIsKept(some: boolean, keepFor: number): Markup {
  const until = `is forgotten after ${inWords(keepFor)} at the latest`;
  return html`<h2>What is kept</h2>
    <p>
      ${
        some
          ? `What this site needs of the above stays in your session and ${until}.`
          : `Only that you have verified your identity, and when: it stays in your session and ${until}. Nothing of the above does.`
      }
    </p>`;
}

function note(text: string): Markup {
  return html`<div class="note"><p>${text}</p></div>`;
}

function inWords(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [size, name] = units.find(([unit]) => ms >= unit) ?? ([1_000, 'second'] as const);
  const amount = Math.max(1, Math.ceil(ms / size));
  return `${amount} ${name}${amount === 1 ? '' : 's'}`;
}
