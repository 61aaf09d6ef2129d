/** Makes a thing of Intl once for each language of the app: one of them costs more than the rest of a page. */
export function perLanguage<Made>(make: (lang: string) => Made): (lang: string) => Made {
  const made = new Map<string, Made>();
  return (lang) => {
    const known = made.get(lang) ?? make(lang);
    made.set(lang, known);
    return known;
  };
}
