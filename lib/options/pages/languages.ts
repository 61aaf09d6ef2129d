import { en, type Texts } from './en.js';

const english = async (): Promise<Texts> => await Promise.resolve(en);

/** The texts that every app has, by language, English first. The others load when somebody wants a page in them. */
export const builtIn: Readonly<Record<string, () => Promise<Texts>>> & { readonly en: typeof english } = {
  en: english,
  de: async () => (await import('./de.js')).de,
  fr: async () => (await import('./fr.js')).fr,
};
