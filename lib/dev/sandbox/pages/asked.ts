import type { AttributeId, PidAttributes, Variant } from '../../../types/attributes.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { attributeIds } from '../../../service/attributes.js';
import { fromIsoDate } from '../../../service/prove/dates.js';
import { derivedOf } from '../people/claims.js';
import { type Html, sandboxHtml } from './html.js';

// The same words in the same order as on the kit's start page; a test compares the two.
const labels: Record<AttributeId, string> = {
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Date of birth',
  nationality: 'Nationality',
};

const countries = new Intl.DisplayNames('en', { type: 'region' });

/** What is asked for, with what this person would share. */
export function askedList(
  { revealed, derived }: Pick<ReceivedProveRequest, 'revealed' | 'derived'>,
  person: Readonly<PidAttributes>,
  variant: Variant,
): Html {
  const nationality = derived?.nationality;
  const answer = derivedOf(person, derived).nationality === '1' ? 'Yes' : 'No';
  return sandboxHtml`<dl class="list">
    ${revealed.map((id) => row(labels[id], written(id, person, variant)))}
    ${
      nationality !== undefined &&
      row(
        `Whether you hold the nationality of ${countries.of(nationality) ?? nationality}`,
        answer,
        'only yes or no',
      )
    }
  </dl>`;
}

/** What is on the card and nobody asks for. */
export function keptBack({ revealed }: Pick<ReceivedProveRequest, 'revealed'>): string {
  return attributeIds
    .filter((id) => !revealed.includes(id))
    .map((id) => labels[id])
    .join(', ');
}

export function row(label: string, value: string, hint?: string): Html {
  return sandboxHtml`<div>
    <dt>${label}${hint === undefined ? undefined : sandboxHtml` <span class="hint">${hint}</span>`}</dt>
    <dd>${value}</dd>
  </div>`;
}

function written(id: AttributeId, person: Readonly<PidAttributes>, variant: Variant): string {
  const value = id === 'birth_date' ? fromIsoDate(person.birth_date, variant) : person[id];
  return typeof value === 'string' ? value : value.join(', ');
}
