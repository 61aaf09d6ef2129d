import { perLanguage } from './per-language.js';

/** The name of a language in that language, with a capital as in a list: "Français". */
export const languageName = perLanguage((lang) => {
  const name = new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang;
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1);
});

const countries = perLanguage((lang) => new Intl.DisplayNames(lang, { type: 'region' }));

/** The name of a country in a language, or else its code. */
export const countryName = (lang: string, code: string): string => countries(lang).of(code) ?? code;
