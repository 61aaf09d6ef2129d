import { z } from 'zod';
import { configInvalid } from '../../../errors.js';
import type { PidAttributes } from '../../../types/attributes.js';
import { nearMiss } from '../../../internal/validate.js';
import { type Character, type PersonName, peopleOn } from './people.js';

/** A name from the list, or attributes of your own. Attributes that you leave out are Erika's. */
export type PersonOption = PersonName | Partial<PidAttributes>;

const name = z.string().regex(/\S/, { error: 'must be a string that is not empty' }).max(150);

const attributes = z.strictObject({
  given_name: name.optional(),
  family_name: name.optional(),
  birth_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'must be written as YYYY-MM-DD (00 for what is not known)' })
    .optional(),
  nationality: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .optional(),
});

/** Returns the person that was chosen; anything else is refused as `config_invalid`, naming `where`. */
export function choosePerson(option: unknown, today: Date, optionPath: string): Readonly<PidAttributes> {
  const people: Readonly<Record<string, Character>> = peopleOn(today);
  if (typeof option === 'string') {
    const chosen = Object.hasOwn(people, option) ? people[option] : undefined;
    if (chosen !== undefined) return chosen.person;
    const meant = nearMiss(option, Object.keys(people));
    const hint = meant === undefined ? `Known: ${Object.keys(people).join(', ')}.` : `Did you mean ${meant}?`;
    throw configInvalid(`${optionPath} is not one of the sandbox's people. ${hint}`);
  }
  const parsed = attributes.safeParse(option);
  const at = parsed.error?.issues[0]?.path.join('.') ?? '';
  if (!parsed.success) {
    throw configInvalid(
      `${optionPath}${at === '' ? '' : `.${at}`} is not valid: a name from the list, or an object of ` +
        'given_name, family_name, birth_date (YYYY-MM-DD) and nationality (a list of two-letter codes).',
    );
  }
  const set = Object.entries(parsed.data).filter(([, value]) => value !== undefined);
  return { ...peopleOn(today).erika.person, ...Object.fromEntries(set) };
}
