import { de } from './de.js';
import { en, type Texts } from './en.js';

/** The texts that every app has, by language; `en` comes first. A further language is a file and its name here. */
export const builtIn: Readonly<Record<string, Texts>> = { en, de };
