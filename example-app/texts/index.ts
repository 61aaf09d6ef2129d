import { de } from './de.js';
import { type Texts, en } from './en.js';

/** The languages of the app: each is a file, and a row here. */
export const languages = { en, de } satisfies Record<string, Texts>;

export type Language = keyof typeof languages;
export type { Texts };
