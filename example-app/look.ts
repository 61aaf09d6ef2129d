import type { PagesOptions } from 'pidgate';

/** Our name, colour, links and texts on pidgate's pages, in both languages of this app. */
export const look: PagesOptions = {
  name: 'Drehmoment',
  logo: '/logo.svg',
  colors: {
    accent: { light: '#9a3f0c', dark: '#f3a36f' },
    background: { light: '#f7f4f0', dark: '#171412' },
    surface: { light: '#ffffff', dark: '#211d1a' },
  },
  homeUrl: '/',
  privacyUrl: '/kept',
  otherWay: { url: '/counter' },
  texts: {
    en: {
      purpose: 'Your membership: the wallet tells us who you are, and fills in the form.',
      'reasons.counter': 'You became a member at the counter. Show us once that it is you.',
      keptAs: 'Your name\nYour date of birth',
      'purpose.age': 'You must be 18 or over to borrow machines.',
      'keptAs.age': 'Whether you are at least 18',
      'notKept.age': 'Your date of birth',
      'purpose.vote':
        'Under our statutes, German citizens elect the board. We check whether you are one, and compare your name with your account.',
      'keptAs.vote': 'Whether you are a German citizen',
      'notKept.vote': 'The name on your ID',
      'purpose.door': 'Before we show the door code, we want to see that it is you.',
      'keptAs.door': 'That you verified',
      'notKept.door': 'The name on your ID',
      'purpose.erasure':
        'Before we erase your account, we want to see that it is yours. After the erasure only the receipt is kept longer, until your session ends.',
      'keptAs.erasure': 'The number of your account',
      'notKept.erasure': 'The name on your ID\nYour date of birth',
      'refused.age.title': 'You must be 18 or over to borrow machines',
      'refused.age.text':
        'Your wallet says that you are younger. Drills, ladders and clamps: no ID needed. If that was the wrong card, erase the answer under Privacy, then verify again.',
      'refused.age.link': '[Ask at the counter](/counter)',
      not_kept_title: 'For this check we do not store',
      other_way: 'I have no wallet: come to the counter',
    },
    de: {
      purpose: 'Ihre Mitgliedschaft: Die Ausweis-App sagt uns, wer Sie sind, und füllt das Formular aus.',
      'reasons.counter': 'Sie sind an der Theke Mitglied geworden. Weisen Sie sich bitte einmal aus.',
      keptAs: 'Ihr Name\nIhr Geburtsdatum',
      'purpose.age': 'Maschinen leihen wir ab 18 Jahren.',
      'keptAs.age': 'Ob Sie mindestens 18 sind',
      'notKept.age': 'Ihr Geburtsdatum',
      'purpose.vote':
        'Nach unserer Satzung wählen deutsche Staatsangehörige den Vorstand. Wir prüfen, ob Sie dazugehören, und vergleichen Ihren Namen mit dem im Konto.',
      'keptAs.vote': 'Ob Sie die deutsche Staatsangehörigkeit haben',
      'notKept.vote': 'Der Name auf Ihrem Ausweis',
      'purpose.door': 'Bevor wir Ihnen den Türcode zeigen, möchten wir sicher sein, dass Sie es sind.',
      'keptAs.door': 'Dass Sie sich ausgewiesen haben',
      'notKept.door': 'Der Name auf Ihrem Ausweis',
      'purpose.erasure':
        'Bevor wir Ihr Konto löschen, möchten wir sehen, dass Sie es sind. Nach dem Löschen bleibt nur der Beleg länger, bis Ihre Sitzung endet.',
      'keptAs.erasure': 'Die Nummer Ihres Kontos',
      'notKept.erasure': 'Der Name auf Ihrem Ausweis\nIhr Geburtsdatum',
      'refused.age.title': 'Maschinen leihen wir ab 18 Jahren',
      'refused.age.text':
        'Laut Ihrem Ausweis sind Sie noch nicht 18. Bohrmaschinen, Leitern und Zwingen leihen wir Ihnen ohne Ausweis. War es der falsche Ausweis? Dann löschen Sie das Ergebnis unter Datenschutz und weisen sich neu aus.',
      'refused.age.link': '[An der Theke fragen](/counter)',
      not_kept_title: 'Für diesen Nachweis speichern wir nicht',
      other_way: 'Ich habe keine Ausweis-App: zur Theke',
    },
  },
};
