import type { Request } from 'express';

/**
 * What people read, in the words of pidgate's own pages. `{app}` is the name of who asks. In French no line may break
 * before : ; ! ? or inside « », so the spaces there are unbreakable.
 */
export interface Texts {
  readonly lang: string;
  readonly family_name: string;
  readonly given_name: string;
  readonly birth_date: string;
  readonly nationality: string;
  readonly asks: string;
  readonly asked: string;
  readonly openWallet: string;
  readonly comesBack: string;
  readonly steps: readonly [string, string, string];
  readonly warning: string;
  readonly code: string;
  readonly waiting: string;
  /** A question, and the link behind it. */
  readonly onThisDevice: readonly [string, string];
  readonly usedOnce: string;
  readonly cancel: string;
  /** `{minutes}` are left; with a script, it ends at `{time}`. */
  readonly validFor: string;
  readonly validUntil: string;
  readonly goTo: string;
  readonly over: readonly [string, string];
  readonly failed: readonly [string, string];
  readonly elsewhere: readonly [string, string, string];
  readonly cameBackElsewhere: readonly [string, string, string];
  readonly noCookies: readonly [string, string];
  readonly sending: readonly [string, string];
  readonly refused: readonly [string, string];
}

export const en: Texts = {
  lang: 'en',
  family_name: 'Family name',
  given_name: 'Given name',
  birth_date: 'Date of birth',
  nationality: 'Nationality',
  asks: '{app} asks for your identity',
  asked: 'What you will be asked to share',
  openWallet: 'Open my wallet',
  comesBack: 'Your wallet shows you the same list, and brings you back here.',
  steps: [
    'Open the wallet app on your phone.',
    'Scan this code with it.',
    'Come back here: this page goes on by itself.',
  ],
  warning: 'Scan only if you began at {app} yourself.',
  code: 'QR code that opens your wallet',
  waiting: 'Waiting for your wallet…',
  onThisDevice: ['Is your wallet on this device?', 'Open it here'],
  usedOnce: 'If your wallet says that the request was used, cancel and start again.',
  cancel: 'Cancel, and go back to {app}',
  validFor: 'This request is valid for {minutes} more min.',
  validUntil: 'This request is valid until {time}.',
  goTo: 'Go to {app}',
  over: [
    'This page is over',
    'There is no such request, or its time is over. Go back to the website that you came from, and start again there.',
  ],
  failed: [
    'This did not work',
    'Something failed on our side. You need not do anything: this page tries again by itself.',
  ],
  elsewhere: [
    'This page is open in another browser',
    'For your safety it works only in the browser that opened it first. Please continue in that one.',
    'Did somebody send you this address? Then close this page: your identity would count as theirs.',
  ],
  cameBackElsewhere: [
    'Your wallet came back in another browser',
    'For your safety this works only in the browser in which you began. Nothing was shared with {app}. Please start again at {app}, in this browser.',
    'Did somebody send you a link to your wallet? Then close this page: your identity would count as theirs.',
  ],
  noCookies: [
    'Your browser keeps no cookies',
    'This page needs one cookie, for ten minutes, so that nobody else can use your answer. Allow cookies, and load this page again.',
  ],
  sending: ['Your answer is on its way to {app}', 'You need not do anything. This page goes on by itself.'],
  refused: [
    '{app} could not take your answer',
    'The answer could not be delivered, and nothing of it is kept here. Start again at {app}. If it happens again, tell them.',
  ],
};

export const de: Texts = {
  lang: 'de',
  family_name: 'Familienname',
  given_name: 'Vorname',
  birth_date: 'Geburtsdatum',
  nationality: 'Staatsangehörigkeit',
  asks: '{app} bittet Sie, sich auszuweisen',
  asked: 'Diese Angaben werden abgefragt',
  openWallet: 'Meine Wallet öffnen',
  comesBack: 'Ihre Wallet zeigt Ihnen dieselbe Liste und bringt Sie hierher zurück.',
  steps: [
    'Öffnen Sie die Wallet auf Ihrem Smartphone.',
    'Scannen Sie damit diesen Code.',
    'Kommen Sie hierher zurück: Hier geht es von selbst weiter.',
  ],
  warning: 'Scannen Sie nur, wenn Sie selbst bei {app} begonnen haben.',
  code: 'QR-Code, der Ihre Wallet öffnet',
  waiting: 'Wir warten auf Ihre Wallet …',
  onThisDevice: ['Ist Ihre Wallet auf diesem Gerät?', 'Hier öffnen'],
  usedOnce:
    'Wenn Ihre Wallet sagt, dass die Anfrage schon benutzt wurde: Brechen Sie ab, und beginnen Sie neu.',
  cancel: 'Abbrechen und zurück zu {app}',
  validFor: 'Diese Anfrage gilt noch {minutes} Min.',
  validUntil: 'Diese Anfrage gilt bis {time} Uhr.',
  goTo: 'Weiter zu {app}',
  over: [
    'Diese Seite ist abgelaufen',
    'Es gibt diese Anfrage nicht, oder ihre Zeit ist vorbei. Gehen Sie zurück zu der Website, von der Sie gekommen sind, und beginnen Sie dort neu.',
  ],
  failed: [
    'Das hat nicht geklappt',
    'Bei uns ist etwas schiefgegangen. Sie müssen nichts tun: Diese Seite versucht es von selbst noch einmal.',
  ],
  elsewhere: [
    'Diese Seite ist in einem anderen Browser geöffnet',
    'Zu Ihrer Sicherheit funktioniert sie nur in dem Browser, in dem sie zuerst geöffnet wurde. Bitte machen Sie dort weiter.',
    'Hat Ihnen jemand diese Adresse geschickt? Dann schließen Sie diese Seite: Sonst könnte sich die andere Person als Sie ausgeben.',
  ],
  cameBackElsewhere: [
    'Ihre Wallet hat einen anderen Browser geöffnet',
    'Zu Ihrer Sicherheit lässt sich der Vorgang nur in dem Browser fortsetzen, in dem Sie begonnen haben. An {app} wurde nichts übermittelt. Bitte beginnen Sie bei {app} neu, und zwar hier, in dem Browser, den Ihre Wallet geöffnet hat.',
    'Hat Ihnen jemand einen Link zu Ihrer Wallet geschickt? Dann schließen Sie diese Seite: Sonst könnte sich die andere Person als Sie ausgeben.',
  ],
  noCookies: [
    'Ihr Browser speichert keine Cookies',
    'Diese Seite braucht ein Cookie, für zehn Minuten, damit niemand sonst Ihre Antwort benutzen kann. Erlauben Sie Cookies, und laden Sie diese Seite neu.',
  ],
  sending: ['Ihre Antwort ist unterwegs zu {app}', 'Sie müssen nichts tun. Hier geht es von selbst weiter.'],
  refused: [
    '{app} konnte Ihre Antwort nicht annehmen',
    'Die Antwort ließ sich nicht zustellen, und hier wird nichts davon gespeichert. Beginnen Sie bei {app} neu. Falls es wieder passiert, sagen Sie dort Bescheid.',
  ],
};

export const fr: Texts = {
  lang: 'fr',
  family_name: 'Nom de famille',
  given_name: 'Prénom',
  birth_date: 'Date de naissance',
  nationality: 'Nationalité',
  asks: '{app} vous demande de prouver votre identité',
  asked: 'Ce qui vous sera demandé',
  openWallet: 'Ouvrir mon application d’identité',
  comesBack: 'Votre application d’identité affiche la même liste, puis vous ramène ici.',
  steps: [
    'Ouvrez l’application d’identité sur votre téléphone.',
    'Utilisez-la pour scanner ce code.',
    'Revenez ici : la suite s’affiche d’elle-même.',
  ],
  warning: 'Ne scannez que si vous avez commencé vous-même sur {app}.',
  code: 'Code QR qui ouvre votre application d’identité',
  waiting: 'En attente de votre application d’identité…',
  onThisDevice: ['Votre application d’identité est sur cet appareil ?', 'Ouvrez-la ici'],
  usedOnce: 'Si votre application d’identité indique que la demande a déjà servi, annulez et recommencez.',
  cancel: 'Annuler et retourner sur {app}',
  validFor: 'Cette demande est encore valable {minutes} min.',
  validUntil: 'Cette demande est valable jusqu’à {time}.',
  goTo: 'Aller sur {app}',
  over: [
    'Cette page n’est plus valable',
    'Cette demande n’existe pas, ou son délai est dépassé. Retournez sur le site d’où vous venez, et recommencez là-bas.',
  ],
  failed: [
    'Cela n’a pas fonctionné',
    'Un problème est survenu de notre côté. Vous n’avez rien à faire : cette page réessaie d’elle-même.',
  ],
  elsewhere: [
    'Cette page est ouverte dans un autre navigateur',
    'Pour votre sécurité, elle ne fonctionne que dans le navigateur qui l’a ouverte en premier. Veuillez continuer dans ce premier navigateur, pas ici.',
    'Quelqu’un vous a envoyé cette adresse ? Alors fermez cette page : sinon, cette personne pourrait se faire passer pour vous.',
  ],
  cameBackElsewhere: [
    'Votre application d’identité a ouvert un autre navigateur',
    'Pour votre sécurité, la suite n’est possible que dans le navigateur où vous avez commencé. Rien n’a été transmis à {app}. Veuillez recommencer sur {app}, ici même, dans le navigateur que votre application d’identité a ouvert.',
    'Quelqu’un vous a envoyé un lien vers votre application d’identité ? Alors fermez cette page : sinon, cette personne pourrait se faire passer pour vous.',
  ],
  noCookies: [
    'Votre navigateur ne garde pas les cookies',
    'Cette page a besoin d’un cookie, pendant dix minutes, pour que personne d’autre ne puisse utiliser votre réponse. Autorisez les cookies, puis rechargez cette page.',
  ],
  sending: [
    'Votre réponse est en route vers {app}',
    'Vous n’avez rien à faire. Cette page continue d’elle-même.',
  ],
  refused: [
    '{app} n’a pas pu recevoir votre réponse',
    'La réponse n’a pas pu être remise, et rien n’en est conservé ici. Recommencez sur {app}. Si cela se reproduit, signalez-le à {app}.',
  ],
};

const languages: Readonly<Record<string, Texts>> = { en, de, fr };

/** In the language that the browser likes best. */
export function textsFor(req: Request): Texts {
  return languages[req.acceptsLanguages(Object.keys(languages)) || 'en'] ?? en;
}

/** Puts names and numbers into a text. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
