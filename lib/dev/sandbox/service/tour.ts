import { isAgeId } from '../../../types/attributes.js';
import type { PersonName } from '../people/people.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import type { KnownQuestion } from './known-app.js';
import type { Service } from './service.js';

/** Who is at the wallet at a stop of the tour, and what happens. */
export interface TourStop {
  readonly id: TourStopId;
  readonly person: PersonName;
  readonly scenario: ScenarioId;
  readonly title: string;
  /** What the link says. */
  readonly action: string;
  readonly says: string;
}

export type TourStopId = 'erika' | 'leon' | 'forged';

/** A yes, a no, and a proof that is refused: what the kit does. */
export const tour: readonly TourStop[] = [
  {
    id: 'erika',
    person: 'erika',
    scenario: 'approve',
    title: 'Erika, a yes',
    action: 'Be Erika',
    says: 'Erika Mustermann, born in 1964.',
  },
  {
    id: 'leon',
    person: 'minor',
    scenario: 'approve',
    title: 'Leon, a no',
    action: 'Be Leon',
    says: 'Leon Mustermann, 17 until tomorrow.',
  },
  {
    id: 'forged',
    person: 'erika',
    scenario: 'invalid_signature',
    title: 'A forged card',
    action: 'Use a forgery',
    says: 'Erika’s data, and a broken signature.',
  },
];

/** Where the app's own start is for somebody on the tour; undefined where nothing is known of the app. */
export function tourStart({ app, accounts }: Service): string | undefined {
  const [question] = app.questions.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (question === undefined) {
    const { redirectUrl } = accounts.working;
    return redirectUrl === undefined ? undefined : new URL('start', redirectUrl).href;
  }
  const page = app.guarded.find(({ start }) => start.startsWith(`${question.start}?`));
  return question.url + (page?.start.slice(question.start.length) ?? '');
}

/** An age is what the three differ in; else the question that asks for least. */
function rankOf({ asks }: KnownQuestion): number {
  return asks.length + (asks.some((id) => id === 'birth_date' || isAgeId(id)) ? 0 : 100);
}
