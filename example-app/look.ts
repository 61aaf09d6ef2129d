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
      'purpose.age': 'Machines are for people from 18.',
      'keptAs.age': 'Whether you are at least 18',
      'notKept.age': 'Your date of birth',
      'purpose.vote':
        'Under our statutes, German citizens elect the board. We want to know whether you are one, and see by your name that it is you.',
      'keptAs.vote': 'Whether you are a German citizen',
      'notKept.vote': 'The name on your ID',
      'purpose.door': 'Before we show the door code, we want to see that it is you.',
      'keptAs.door': 'That it was you',
      'notKept.door': 'The name on your ID',
      'purpose.erasure':
        'Before we erase your account, we want to see that it is yours. Once it is erased, only the receipt stays, for as long as your session lasts.',
      'keptAs.erasure': 'The number of your account',
      'notKept.erasure': 'The name on your ID\nYour date of birth',
      'refused.age.title': 'Machines are for people from 18',
      'refused.age.text':
        'Your wallet says that you are younger. You can borrow drills, ladders and clamps today.',
      'refused.age.link': '[Ask at the counter](/counter)',
      other_way: 'I have no wallet: come to the counter',
    },
    de: {
      purpose: 'Ihre Mitgliedschaft: Die Ausweis-App sagt uns, wer Sie sind, und füllt das Formular aus.',
      'reasons.counter': 'Sie sind an der Theke Mitglied geworden. Weisen Sie sich bitte einmal aus.',
      keptAs: 'Ihren Namen\nIhr Geburtsdatum',
      'purpose.age': 'Maschinen leihen wir ab 18 Jahren.',
      'keptAs.age': 'Ob Sie mindestens 18 sind',
      'notKept.age': 'Ihr Geburtsdatum',
      'purpose.vote':
        'Nach unserer Satzung wählen deutsche Staatsangehörige den Vorstand. Wir möchten wissen, ob Sie dazugehören, und am Namen sehen, dass Sie es sind.',
      'keptAs.vote': 'Ob Sie die deutsche Staatsangehörigkeit haben',
      'notKept.vote': 'Den Namen auf Ihrem Ausweis',
      'purpose.door': 'Bevor wir Ihnen den Türcode zeigen, möchten wir sicher sein, dass Sie es sind.',
      'keptAs.door': 'Dass Sie sich ausgewiesen haben',
      'notKept.door': 'Den Namen auf Ihrem Ausweis',
      'purpose.erasure':
        'Bevor wir Ihr Konto löschen, möchten wir sehen, dass Sie es sind. Ist es gelöscht, bleibt nur der Beleg, solange Ihre Sitzung dauert.',
      'keptAs.erasure': 'Die Nummer Ihres Kontos',
      'notKept.erasure': 'Den Namen auf Ihrem Ausweis\nIhr Geburtsdatum',
      'refused.age.title': 'Maschinen leihen wir ab 18 Jahren',
      'refused.age.text':
        'Laut Ihrem Ausweis sind Sie noch nicht 18. Bohrmaschinen, Leitern und Zwingen können Sie heute schon leihen.',
      'refused.age.link': '[An der Theke fragen](/counter)',
      other_way: 'Ich habe keine Ausweis-App: zur Theke',
    },
  },
};
