import type { AttributeId, PidAttributes, Variant } from '../../types/attributes.js';
import { toIsoDate } from '../../service/prove/dates.js';
import { redacted } from '../../internal/redacted.js';
import { checkFailed, enforce } from '../jose/check-failed.js';

interface Form<Value> {
  /** Returns undefined if the value has another form: nothing is repaired. */
  readonly read: (value: unknown, variant: Variant) => Value | undefined;
  readonly must: string;
}

const name: Form<string> = {
  // Spaces, controls and half characters are nothing that a person could be called.
  read: (value) => (typeof value === 'string' && /[^\p{Z}\p{C}]/u.test(value) ? value : undefined),
  must: 'a string with a character that can be seen',
};

/** The encodings of the EU PID rulebook, sections 2.1 and 2.2. */
const forms: { readonly [Id in AttributeId]: Form<PidAttributes[Id]> } = {
  family_name: name,
  given_name: name,
  birth_date: {
    read: (value, variant) => (typeof value === 'string' ? toIsoDate(value, variant) : undefined),
    must: "a day of the calendar in the variant's own form",
  },
  nationality: {
    // QU (unknown) and QS (stateless) are values too: the form is checked, not an ISO list.
    read: (value) => (Array.isArray(value) && value.every(isCountry) ? value : undefined),
    must: 'a list of two-letter codes (older issuers sent a single string or a map)',
  },
};

function isCountry(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z]{2}$/.test(value);
}

/** Elements are disclosed one by one, and some wallets disclose none of them. */
function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns exactly the attributes that were asked for, each in its form (C13, C14). */
export function readAttributes(
  reveal: readonly AttributeId[],
  variant: Variant,
  find: (id: AttributeId) => unknown,
): Readonly<Partial<PidAttributes>> {
  const found = reveal.map((id) => [id, find(id)] as const);
  const missing = found.filter(([, value]) => value === undefined).map(([id]) => id);
  if (missing.length > 0) {
    throw checkFailed('C13', `The presentation does not hold ${missing.join(', ')}.`, 'attributes_missing');
  }
  const emptied = found.find(([id, value]) => id === 'nationality' && isEmptyList(value));
  if (emptied !== undefined) {
    const why = `${emptied[0]} has no element: the wallet showed the list without any.`;
    throw checkFailed('C13', why, 'attributes_missing');
  }
  const entries = found.map(([id, value]) => {
    const { read, must } = forms[id];
    const attribute = read(value, variant);
    enforce('C13', attribute !== undefined, `${id} is not ${must}.`, 'attribute_invalid');
    return [id, attribute];
  });
  return redacted(Object.fromEntries(entries) as Partial<PidAttributes>);
}
