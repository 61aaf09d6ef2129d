import type { PersonName } from '../../people/people.js';
import { scenarioOf } from '../../scenarios/catalogue.js';
import type { SandboxTexts } from './en.js';

const reasons: Readonly<Record<PersonName, string>> = {
  erika: 'Die Person auf jedem deutschen Musterausweis',
  minor: 'Ist 17 und wird morgen 18',
  french: 'Hat nur die französische Staatsangehörigkeit',
  dual: 'Hat zwei Staatsangehörigkeiten',
  stateless: 'Hat keine Staatsangehörigkeit (Code QS)',
  one_name: 'Hat nur einen Namen; der andere ist ein Strich',
  umlauts: 'Hat ß und Umlaute, in Großbuchstaben ẞ, Ä, Ö und Ü',
  greek: 'Der Name steht in einer anderen Schrift',
  leap_day: 'Ist am 29. Februar geboren',
  long_names: 'Hat Namen mit 150 Zeichen, der Höchstlänge',
  unknown_day: 'Nur das Geburtsjahr ist bekannt',
};

/** By what the built-in wallet says in English. */
const refusals: Readonly<Record<string, string>> = {
  'This request is unknown, has expired or was answered. Start again on the website.':
    'Diese Anfrage ist unbekannt, abgelaufen oder schon beantwortet. Bitte beginnen Sie auf der Website neu.',
  'This wallet cannot answer this kind of request.':
    'Diese Ausweis-App kann eine solche Anfrage nicht beantworten.',
  'The request does not come from the party that the link names.':
    'Die Anfrage kommt nicht von der Stelle, die der Link nennt.',
  'The requester is not registered to ask for all of this.':
    'Die anfragende Stelle darf nicht alle diese Angaben abfragen.',
  'No authority that this wallet trusts has certified the requester.':
    'Keine Stelle, der diese Ausweis-App vertraut, hat die anfragende Stelle zertifiziert.',
  'The service did not accept the response: it may have one already. If the website does not continue, start again there.':
    'Der Ausweisdienst hat die Antwort nicht angenommen: Vielleicht hat er schon eine. Wenn es auf der Website nicht weitergeht, beginnen Sie dort neu.',
};

/** The same in German. */
export const germanTexts: SandboxTexts = {
  lang: 'de',
  name: 'pidgate-Testumgebung',
  sandbox: 'Testumgebung',
  overview: 'Übersicht',
  roles: { service: 'Ausweisdienst', wallet: 'Ausweis-App', desk: 'Entwicklerwerkzeuge' },
  unreal: 'keine echten Daten',
  anApp: 'Eine Website',

  labels: {
    family_name: 'Familienname',
    given_name: 'Vorname',
    birth_date: 'Geburtsdatum',
    nationality: 'Staatsangehörigkeit',
  },
  derivedNationality: (country) => `Staatsangehörigkeit: ${country}`,
  derivedAnswer: 'nur Ja oder Nein',
  yes: 'Ja',
  no: 'Nein',

  asksForThis: (app) => `${app} fragt diese Angaben ab`,
  asksForData: (app) => `${app} fragt Angaben von Ihnen ab`,
  onlyWhatIsListed: (name) => `Sie sind ${name}. Übermittelt wird nur, was hier steht.`,
  willBeShared: 'Das wird übermittelt',
  staysInWallet: 'Das bleibt in der Ausweis-App',
  andMore: 'Anschrift und mehr',
  share: 'Übermitteln',
  decline: 'Ablehnen',

  shareTitle: 'Diese Angaben übermitteln?',
  asksThroughService: 'fragt diese Angaben über den Ausweisdienst der Testumgebung ab.',
  certificate: 'Zertifikat',
  whoseCard: 'Wessen Ausweis ist das?',
  fromCode: 'aus Ihrem Code',
  changeCard: 'Ausweis wechseln',
  notOnCard:
    'Auf dem Ausweis steht diese Antwort nicht. Der Ausweisdienst sieht die Staatsangehörigkeiten und gibt nur Ja oder Nein weiter.',
  reasonOf: (person) => reasons[person],

  pinTitle: 'Geben Sie Ihre PIN ein',
  pinWrong: 'Diese PIN ist falsch',
  pinProves: 'Mit der PIN zeigen Sie, dass der Ausweis Ihnen gehört.',
  pinDigits: 'Die PIN hat sechs Ziffern.',
  notCounted: 'Das zählt nicht als Versuch.',
  pinLabel: 'PIN Ihres Personalausweises',
  pinHint: (pin) => `In der Testumgebung ist sie immer ${pin}.`,
  triesLeft: (tries) =>
    `Sie haben noch ${tries === 1 ? 'einen Versuch' : `${tries} Versuche`}. Danach ist der Ausweis gesperrt.`,
  continue: 'Weiter',
  cancel: 'Abbrechen',
  blockedTitle: 'Dieser Ausweis ist gesperrt',
  blockedText:
    'Sie haben dreimal eine falsche PIN eingegeben. Einen echten Ausweis würden Sie mit der PUK aus Ihrem PIN-Brief entsperren.',
  backToApp: 'Zurück zur Website',
  doneTitle: 'Fertig',
  doneShared: 'Ihre Antwort wurde gesendet.',
  doneNotShared: 'Es wurde nichts übermittelt, und die Website weiß Bescheid.',
  doneNow: 'Machen Sie in dem Browser weiter, in dem Sie begonnen haben. Diese Seite können Sie schließen.',

  whereIsWallet:
    'Ihre Ausweis-App zeigt Ihnen, welche Angaben abgefragt werden. Auf welchem Gerät ist Ihre Ausweis-App?',
  onThisDevice: 'Auf diesem Gerät',
  onAnotherDevice: 'Auf einem anderen Gerät',
  cancelTo: (app) => `Abbrechen und zurück zu ${app}`,
  useAnotherDevice: 'Anderes Gerät verwenden',
  useThisDevice: 'Meine Ausweis-App ist auf diesem Gerät',
  validUntil: (time) => `Gültig bis ${time} Uhr.`,
  openWalletTitle: 'Öffnen Sie Ihre Ausweis-App',
  openWalletText: (app) =>
    `Sie zeigt Ihnen, welche Angaben ${app} abfragt. Erst wenn Sie dort zustimmen, wird etwas übermittelt.`,
  openWallet: 'Ausweis-App öffnen',
  openBuiltIn: 'Ausweis-App der Testumgebung öffnen',
  scanTitle: 'Scannen Sie den Code mit Ihrem Smartphone',
  scanText: (app) =>
    `Ihre Ausweis-App zeigt Ihnen dann, welche Angaben ${app} abfragt. Lassen Sie diese Seite offen: Sobald Sie zugestimmt haben, geht es hier von selbst weiter.`,
  scanLabel: 'QR-Code, der Ihre Ausweis-App öffnet',
  waiting: 'Warten auf Ihre Ausweis-App …',
  fetched: 'Ihre Ausweis-App hat die Anfrage. Bitte stimmen Sie dort zu.',
  noPhone: 'Kein Smartphone zur Hand?',
  openBuiltInWindow: 'Ausweis-App der Testumgebung in einem neuen Fenster öffnen',
  scanWarning: (app) =>
    `Scannen Sie den Code nur, wenn Sie gerade selbst bei ${app} begonnen haben. Hat Ihnen jemand diesen Code geschickt? Dann schließen Sie die Seite.`,
  ownWallet: 'Eigene Ausweis-App verwenden',
  ownWalletText: 'Diese Links öffnen eine Ausweis-App, die der Testumgebung vertraut.',

  noRedirectUrl: 'Es ist keine Redirect URL eingestellt',
  noRedirectUrlBefore:
    'Die Testumgebung weiß nicht, wohin das Ergebnis soll. Stellen Sie die Adresse der Callback-Route der Website, oft',
  noRedirectUrlAfter: 'auf eine dieser Arten ein und laden Sie diese Seite dann neu:',

  goWrong: 'Etwas schiefgehen lassen',
  whatHappens: 'Was soll passieren?',
  runScenario: 'Dieses Szenario ausführen',
  says: (id) => scenarioOf(id).inGerman,

  gone: [
    'Diese Anfrage ist abgelaufen',
    'Sie ist unbekannt oder zu alt. Wenn Sie auf einem anderen Bildschirm begonnen haben, machen Sie dort weiter. Sonst beginnen Sie bitte auf der Website neu.',
  ],
  expired: [
    'Diese Anfrage ist abgelaufen',
    'Sie wurde nicht rechtzeitig beantwortet. Es wurde nichts übermittelt. Bitte beginnen Sie auf der Website neu.',
  ],
  expiredElsewhere: [
    'Diese Anfrage ist abgelaufen',
    'Sie wurde nicht rechtzeitig beantwortet. Es wurde nichts übermittelt. Machen Sie in dem Browser weiter, in dem Sie begonnen haben: Dort können Sie neu beginnen.',
  ],
  noFlow: [
    'Diesen Vorgang gibt es nicht',
    'In der Liste stehen die Vorgänge seit dem Start der Testumgebung, höchstens hundert.',
  ],
  backTo: (app) => `Zurück zu ${app}`,
  nothingHere: [
    'Seite nicht gefunden',
    'Ein Vorgang beginnt auf der Website und führt von dort auf eine Seite der Testumgebung.',
  ],
  otherSite: [
    'Anfrage von einer anderen Website abgelehnt',
    'Andere Websites dürfen auf diese Seite verlinken, aber nichts an sie senden. Es wurde nichts geändert.',
  ],
  noDecision: [
    'Keine Entscheidung',
    'Das Formular enthält keine Entscheidung, die die Testumgebung kennt. Bitte gehen Sie zurück und wählen Sie noch einmal.',
  ],
  unreadable: [
    'Adresse oder Formular ungültig',
    'Diese Adresse oder dieses Formular stammt nicht von der Testumgebung. Bitte gehen Sie zurück.',
  ],
  tooLarge: ['Formular zu groß', 'Das Formular ist größer als alle, die die Testumgebung sendet.'],
  internal: [
    'Fehler in der Testumgebung',
    'In der Testumgebung ist etwas schiefgegangen. Bitte beginnen Sie auf der Website neu.',
  ],
  answeredOtherwise: [
    'Schon beantwortet',
    'Diese Anfrage hat schon eine andere Antwort, und nur die erste wird gesendet. Bitte beginnen Sie auf der Website neu.',
  ],
  elsewhere: [
    'Diese Seite ist in einem anderen Browser geöffnet',
    'Ein anderer Browser hat diese Seite zuerst geöffnet. Nur dort geht es zur Website zurück. Wenn Sie die Ausweis-App auf diesem Gerät verwenden möchten, scannen Sie den Code auf dem anderen Bildschirm. Kein Code zu sehen? Wählen Sie dort zuerst „Auf einem anderen Gerät“. Ist dort keines von beiden, beginnen Sie dort neu.',
  ],
  answeredElsewhere: [
    'Diese Anfrage ist beantwortet',
    'Die Website hat die Antwort. Wenn Sie dort nicht weiterkommen, beginnen Sie bitte auf der Website neu.',
  ],
  over: ['Diese Anfrage ist beantwortet', 'Die Website hat die Antwort.'],
  continueToApp: 'Weiter zur Website',
  sending: ['Einen Augenblick', 'Die Antwort wird an die Website gesendet.'],
  youShared: 'Sie haben Ihre Daten übermittelt.',
  youDeclined: 'Sie haben abgelehnt.',
  youChose: (says) => `Sie haben gewählt: „${says}“`,
  walletFailed: 'Die Ausweis-App hat einen Fehler gemeldet.',
  walletStops: 'Hier geht es in der Ausweis-App nicht weiter',
  refusal: (reason) => refusals[reason] ?? reason,
};
