import type { PagesOptions } from 'pidgate';

/** Our name, colour, links and words on the pages of the kit, in both languages of this app. */
export const look: PagesOptions = {
  name: 'Drehmoment',
  logo: '/logo.svg',
  accent: '#9a3f0c',
  homeUrl: '/',
  privacyUrl: '/kept',
  texts: {
    en: {
      purpose: 'Become a member: your wallet fills in the form. We keep your name and your date of birth.',
      'purpose.age': 'Machines go to adults only. We keep one thing: whether you are at least 18.',
      'purpose.resident': 'Residents pay half. We keep one thing: whether you are a German citizen.',
      kept: 'Nothing but that, in your session, for {duration} at most. You can erase it at any time.',
    },
    de: {
      purpose:
        'Werden Sie Mitglied: Ihre Ausweis-App füllt das Formular aus. Wir speichern Ihren Namen und Ihr Geburtsdatum.',
      'purpose.age':
        'Maschinen gibt es nur für Erwachsene. Wir speichern eines: ob Sie mindestens 18 Jahre alt sind.',
      'purpose.resident':
        'Einheimische zahlen die Hälfte. Wir speichern eines: ob Sie die deutsche Staatsangehörigkeit haben.',
      kept: 'Nur das, in Ihrer Sitzung. Höchstdauer: {duration}. Sie können es jederzeit löschen.',
    },
  },
};
