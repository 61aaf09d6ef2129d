type Words = readonly [en: string, de: string];

interface Machine {
  readonly name: Words;
  readonly about: Words;
  /** Euros a day. */
  readonly price: number;
}

export const machines: readonly Machine[] = [
  {
    name: ['Chainsaw', 'Kettensäge'],
    about: ['40 cm bar, helmet and trousers included.', '40-cm-Schwert, mit Helm und Hose.'],
    price: 18,
  },
  {
    name: ['Demolition hammer', 'Abbruchhammer'],
    about: ['11 kg, three chisels, for tiles and screed.', '11 kg, drei Meißel, für Fliesen und Estrich.'],
    price: 24,
  },
  {
    name: ['Floor sander', 'Parkettschleifer'],
    about: [
      'One room a day; sandpaper is sold by the metre.',
      'Schafft ein Zimmer pro Tag; Schleifpapier gibt es meterweise.',
    ],
    price: 30,
  },
  {
    name: ['Wood chipper', 'Häcksler'],
    about: ['Branches up to 6 cm. A tow bar is needed.', 'Äste bis 6 cm. Eine Anhängerkupplung ist nötig.'],
    price: 36,
  },
];

export function euros(lang: string, amount: number): string {
  return new Intl.NumberFormat(lang, { style: 'currency', currency: 'EUR' }).format(amount);
}
