import type { Texts } from './en.js';

export const de: Texts = {
  language: 'Deutsch',
  locale: 'de-DE',

  frame: {
    timeline: 'Der Ablauf dieses Nachweises',
    skip: 'Zum Inhalt springen',
    menu: 'Hauptmenü',
    machines: 'Maschinen',
    election: 'Wahl',
    workshop: 'Werkstatt',
    membership: 'Mitgliedschaft',
    logOut: 'Abmelden',
    languages: 'Sprachen',
    madeUp: 'Drehmoment ist eine erfundene Werkzeugbibliothek: die Beispiel-App von pidgate.',
  },
  links: {
    start: 'Zurück zum Anfang',
    kept: 'Was wir über Sie speichern',
    allKept: 'Alles, was wir über Sie speichern',
    known: 'Was wir hier über Sie wissen',
    machines: 'Zu den Maschinen',
    vote: 'Wahlausweis holen',
    door: 'Türcode holen',
    join: 'Mitglied werden',
    eraseAccount: 'Mein Konto löschen',
    erase: 'Meine Ergebnisse löschen',
    keep: 'Nicht löschen',
  },
  member: { title: 'Mitglied bei Drehmoment', name: 'Name', born: 'Geboren', number: 'Nummer' },

  home: {
    title: 'Werkzeug leihen statt kaufen',
    lead: 'Bohrmaschinen, Leitern und Zwingen verleihen wir an alle. Für den Rest zeigen Sie uns, wer Sie sind: mit Ihrer Wallet, der App mit Ihrem amtlichen Ausweis.',
    welcome: (name) => `Willkommen, ${name}`,
    hello: (name) => `Guten Tag, ${name}`,
    number: 'Ihre Nummer:',
    tour: 'Das ist eine Vorführung.',
    tourLink: 'Erika, Leon und eine Fälschung ausprobieren',
    verified: 'Ihre Identität ist geprüft.',
    counter: 'Sie sind an der Theke Mitglied geworden. Weisen Sie sich bitte einmal aus.',
    verify: 'Identität nachweisen',
    how: 'So funktioniert es',
    steps: [
      'Sie sehen zuerst, was wir wissen wollen und warum.',
      'Ihre Wallet zeigt dieselbe Liste. Dort entscheiden Sie, ob Sie zustimmen.',
      'Sie sind wieder hier, und wir speichern so wenig wie möglich.',
    ],
  },
  stories: {
    machines: {
      title: 'Maschinen ab 18',
      text: 'Wir fragen, ob Sie mindestens 18 sind, und speichern das Ja oder Nein. Ohne Konto.',
    },
    account: {
      title: 'Ein Konto in zwei Minuten',
      text: 'Ihre Wallet füllt das Formular aus, und Sie sind angemeldet.',
      mine: 'Meine Mitgliedschaft',
    },
    vote: {
      title: 'Ein Wahlausweis',
      text: 'Deutsche Staatsangehörige wählen unseren Vorstand. Eine Frage an den Ausweisdienst, die er mit Ja oder Nein beantwortet.',
    },
    door: {
      title: 'Die Werkstatt bei Nacht',
      text: 'Für den Türcode brauchen auch Mitglieder einen aktuellen Nachweis.',
    },
    erasure: {
      title: 'Mein Konto löschen',
      text: 'Ihre Wallet zeigt, dass es Ihr Konto ist. Wir löschen es, und Sie bekommen einen Beleg.',
    },
  },

  logIn: {
    title: 'Bitte melden Sie sich zuerst an',
    lead: 'Diese Seite ist für Mitglieder. Als Mitglied brauchen Sie Ihre Wallet erst nach der Anmeldung.',
    notYet: 'Noch kein Mitglied?',
    join: 'Es dauert etwa zwei Minuten: Ihre Wallet füllt das Formular aus, und Sie sind angemeldet.',
    counter: 'Keine Wallet? Kommen Sie zur Theke',
    card: 'Anmelden',
    two: 'Zwei Mitglieder zum Ausprobieren. Ein Passwort ist nicht nötig.',
    afresh: 'Nach der Anmeldung weisen Sie sich neu aus.',
    erika: 'Als Erika anmelden',
    max: 'Als Max anmelden',
    wallet: 'Als Max wählen Sie in der Wallet seinen Ausweis: Mit Erikas wird der Nachweis abgelehnt.',
  },

  machines: {
    title: 'Maschinen',
    lead: 'Sie sind volljährig: Sie können alle Maschinen leihen.',
    adult: '18+',
    verified: (time) => `geprüft am ${time}`,
    stored: 'Von Ihrem Geburtsdatum haben wir nur gespeichert: Ja.',
    held: (time) => `Was Ihre Wallet gezeigt hat, war ${time} lang in dieser App.`,
    byMembership: 'Das zeigt Ihre Mitgliedschaft. Wir haben nicht noch einmal gefragt.',
    reserve: 'Reservieren',
    reserved: 'Für Sie reserviert',
    ready: (name) => `${name}: für Sie reserviert, liegt an der Theke bereit.`,
    hours: 'Wann wir geöffnet haben',
    shared: 'Benutzen noch andere dieses Gerät? Dann löschen Sie Ihre Ergebnisse, bevor Sie gehen.',
    perDay: (price) => `${price} pro Tag`,
    half: 'Mitglieder zahlen die Hälfte.',
    known:
      'Dass Sie mindestens 18 sind. Falls Ihre Wallet dafür Ihr Geburtsdatum gezeigt hat, haben wir es nicht gespeichert.',
    knownOfMember: 'Was in Ihrer Mitgliedschaft steht: Ihren Namen und Ihr Geburtsdatum.',
  },
  shelf: {
    chainsaw: { name: 'Kettensäge', about: '40-cm-Schwert, mit Helm und Schnittschutzhose.' },
    hammer: { name: 'Abbruchhammer', about: '11 kg, drei Meißel, für Fliesen und Estrich.' },
    sander: {
      name: 'Parkettschleifer',
      about: 'Schafft ein Zimmer pro Tag; Schleifpapier gibt es meterweise.',
    },
    chipper: { name: 'Häcksler', about: 'Äste bis 6 cm. Eine Anhängerkupplung ist nötig.' },
  },

  membership: {
    title: 'Ihre Mitgliedschaft',
    lead: 'Danke, Ihre Identität ist bestätigt.',
    filledIn: 'Danke, Ihre Identität ist bestätigt. Ihre Wallet hat das Formular ausgefüllt.',
    verified: 'Geprüft',
    receipt: 'Beleg',
    sandbox: 'Eine Testumgebung hat geantwortet. Die Daten sind erfunden und beweisen nichts.',
    next: 'Was Sie jetzt tun können',
    machines: 'Ihre Mitgliedschaft zeigt, ob Sie 18 sind: Bei den Maschinen fragen wir nicht noch einmal.',
    session:
      'Diese erfundene Bibliothek hat keine Datenbank: Das Konto liegt in Ihrer Sitzung und endet mit der Abmeldung.',
  },

  vote: {
    title: 'Wahlausweis',
    lead: (day) => `Sie können am ${day} den Vorstand wählen.`,
    no: {
      title: 'Bei dieser Wahl sind Sie nicht stimmberechtigt',
      lead: 'Laut Ihrer Wallet haben Sie nicht die deutsche Staatsangehörigkeit. Nach unserer Satzung wählen nur deutsche Staatsangehörige den Vorstand. Alles andere steht Ihnen offen wie allen Mitgliedern.',
    },
    election: 'Wahl des Vorstands',
    again: 'Noch einmal ausweisen',
    known:
      'Ja oder Nein auf eine Frage: Haben Sie die deutsche Staatsangehörigkeit? Welche Staatsangehörigkeiten Sie haben, speichern wir nicht. Ihren Namen und Ihr Geburtsdatum haben wir mit dem Konto verglichen und nicht gespeichert.',
  },

  door: {
    title: 'Tür der Werkstatt',
    lead: 'Die Werkstatt ist für Mitglieder Tag und Nacht offen. Das ist der heutige Code.',
    until: (time) => `Bis ${time} Uhr können Sie ihn hier ohne neuen Nachweis sehen.`,
    why: 'Warum wir hier fragen',
    because:
      'Sie sind angemeldet. Aber Ihr Smartphone oder Laptop könnte inzwischen jemand anderes benutzen. Bevor wir eine Tür öffnen, weisen Sie sich bitte aus, auch wenn Sie es schon getan haben.',
  },

  erasure: {
    title: 'Ihr Konto löschen?',
    lead: 'Wir haben Ihr Konto gefunden. Das Löschen lässt sich nicht rückgängig machen.',
    all: 'Wir löschen das Konto und alles, was wir aus Ihren Nachweisen gespeichert haben, und melden Sie ab.',
    none: {
      title: 'Sie haben hier kein Konto',
      lead: 'Wir haben kein Mitglied mit diesem Namen und Geburtsdatum. Es gibt nichts zu löschen.',
    },
    done: {
      title: 'Ihr Konto ist gelöscht',
      lead: 'Das ist Ihr Beleg. Wir speichern nur seine Nummer und die Zeit, solange Ihre Sitzung hier dauert. Bitte drucken Sie diese Seite, oder notieren Sie die Nummer.',
      receipt: 'Beleg',
      erased: 'Gelöscht',
      regulars:
        'Diese erfundene Bibliothek hat keine Datenbank: Die beiden Mitglieder von der Theke sind bei der nächsten Anmeldung wieder da.',
    },
  },

  kept: {
    nothing: 'Wir haben keinen Nachweis von Ihnen gespeichert.',
    erased: 'Ihre Ergebnisse sind gelöscht. Wir haben keinen Nachweis von Ihnen gespeichert.',
    all: 'Das haben wir aus Ihren Nachweisen gespeichert, sonst nichts.',
    table: 'Was gespeichert ist',
    what: 'Was',
    value: 'Wert',
    verified: 'Geprüft',
    until: 'Gespeichert bis',
    receipt: 'Beleg',
    yes: 'ja',
    no: 'nein',
    membership: 'Mitgliedschaft',
    age: 'Mindestens 18',
    vote: 'Deutsche Staatsangehörigkeit',
    door: 'An der Tür',
    doorValue: 'Identität nachgewiesen',
    erasure: 'Konto, das Sie löschen möchten',
    noneFound: 'keines gefunden',
    notKept: {
      title: 'Was wir erfragt, aber nicht gespeichert haben',
      age: 'Für die Maschinen: Ihr Geburtsdatum, falls Ihre Wallet es gezeigt hat. Wir speichern nur, ob Sie mindestens 18 sind.',
      vote: 'Für die Wahl: Ihren Namen und Ihr Geburtsdatum, um sie mit dem Konto zu vergleichen. Von Ihren Staatsangehörigkeiten speichern wir nur Ja oder Nein.',
      door: 'Für die Tür: Ihren Namen und Ihr Geburtsdatum, um sie mit dem Konto zu vergleichen.',
      erasure: 'Für die Löschung: Ihren Namen und Ihr Geburtsdatum, um Ihr Konto zu finden.',
      wallet: 'Die Antwort Ihrer Wallet selbst.',
    },
    receiptOfAccount: 'Der Beleg Ihres gelöschten Kontos',
    howLong: 'Wie lange',
    atMost: 'Bis zu dreißig Tage. Ein Nein und die Angaben für eine Löschung nur zehn Minuten.',
    untilThen: 'Bis zu der Zeit in der Tabelle. Auch wenn Sie den Browser schließen, endet Ihr Zugang.',
    untilLogOut:
      'Bis zu der Zeit in der Tabelle, oder bis Sie sich abmelden. Auch wenn Sie den Browser schließen, endet Ihr Zugang.',
    randomReceipt: 'Ein Beleg ist eine zufällige Nummer.',
    account: (number, name, born) =>
      `Ihr Konto (${number}, ${name}, geboren am ${born}) bleibt bis zur Abmeldung.`,
    erasing: 'Löschen',
    eraseHint: 'Alles aus der Tabelle. Sie bleiben angemeldet und weisen sich neu aus, wo eine Seite fragt.',
    eraseHintGuest: 'Alles aus der Tabelle. Sie weisen sich neu aus, wo eine Seite fragt.',
    eraseAccountHint: 'Oder das Konto mit allen Ergebnissen. Ihre Wallet zeigt, dass es Ihres ist.',
  },
  forget: {
    title: 'Ihre Ergebnisse löschen?',
    lead: 'Wir löschen alles, was wir aus Ihren Nachweisen gespeichert haben. Für Maschinen, Wahl und Werkstatt weisen Sie sich dann neu aus.',
  },

  otherPerson: {
    title: 'Dieser Ausweis passt nicht zum Konto',
    lead: 'Name oder Geburtsdatum darauf sind andere als im Konto, in dem Sie angemeldet sind. Es wurde nichts gespeichert.',
    ownCard: 'Meinen eigenen Ausweis nutzen',
  },
  tools: {
    title: 'Noch nicht 18: Das können Sie leihen',
    lead: 'Dafür brauchen Sie keinen Ausweis.',
    items: ['Bohrmaschinen', 'Leitern', 'Zwingen'],
    notMine: 'Das war nicht mein Ausweis:',
  },

  counter: {
    title: 'An der Theke',
    lead: 'Bringen Sie einen Ausweis mit Foto mit. Wir sehen ihn an und kopieren nichts.',
    hours: 'Dienstag bis Samstag, 10 bis 18 Uhr, Werkstraße 12.',
    door: 'In die Werkstatt zu jeder anderen Zeit: Klingeln Sie, ein Mitglied vom Dienst lässt Sie ein.',
    minors: 'Unter 18: Bohrmaschinen, Leitern und Zwingen, ohne Ausweis.',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    lead: 'Unter dieser Adresse gibt es keine Seite. Vielleicht eine von diesen?',
  },
  failed: {
    title: 'Das geht gerade nicht',
    lead: 'Das liegt nicht an Ihnen. Bitte versuchen Sie es gleich noch einmal.',
  },
  otherSite: {
    title: 'Dieses Formular kam von einer anderen Website',
    lead: 'Es hat sich nichts geändert.',
  },

  pidgate: {
    purpose: 'Ihre Mitgliedschaft: Die Wallet sagt uns, wer Sie sind, und füllt das Formular aus.',
    'reasons.counter': 'Sie sind an der Theke Mitglied geworden. Weisen Sie sich bitte einmal aus.',
    keptAs: 'Ihr Name\nIhr Geburtsdatum',
    'purpose.age': 'Maschinen verleihen wir ab 18 Jahren.',
    'keptAs.age': 'Ob Sie mindestens 18 sind (ein Nein nur zehn Minuten)',
    'notKept.age': 'Ihr Geburtsdatum',
    'purpose.vote':
      'Nach unserer Satzung wählen deutsche Staatsangehörige den Vorstand. Wir prüfen, ob Sie dazugehören, und vergleichen Namen und Geburtsdatum mit Ihrem Konto.',
    'keptAs.vote': 'Ob Sie die deutsche Staatsangehörigkeit haben',
    'notKept.vote': 'Der Name auf Ihrem Ausweis\nIhr Geburtsdatum',
    'purpose.door': 'Bevor wir Ihnen den Türcode zeigen, möchten wir sicher sein, dass Sie es sind.',
    'keptAs.door': 'Dass Sie sich ausgewiesen haben',
    'notKept.door': 'Der Name auf Ihrem Ausweis\nIhr Geburtsdatum',
    'purpose.erasure':
      'Bevor wir Ihr Konto löschen, möchten wir sehen, dass Sie es sind. Danach speichern wir nur einen Beleg.',
    'keptAs.erasure': 'Welches Konto Ihres ist',
    'notKept.erasure': 'Der Name auf Ihrem Ausweis\nIhr Geburtsdatum',
    'refused.age.title': 'Noch nicht: Maschinen verleihen wir ab 18',
    'refused.age.text': 'Bohrmaschinen, Leitern und Zwingen verleihen wir auch ohne Ausweis.',
    'refused.age.link': '[Was ich leihen kann](/tools)',
    not_kept_title: 'Für diesen Nachweis speichern wir nicht',
    other_way: 'Ich habe keine Wallet: zur Theke',
    other_way_button: 'Kommen Sie zur Theke',
  },
};
