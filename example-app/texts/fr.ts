import type { Texts } from './en.js';

/** The spaces before : ; ! ? and inside « » are unbreakable. */
export const fr: Texts = {
  language: 'Français',
  locale: 'fr-FR',

  frame: {
    timeline: 'Le déroulement de cette vérification',
    skip: 'Aller au contenu',
    menu: 'Menu principal',
    machines: 'Machines',
    election: 'Élection',
    workshop: 'Atelier',
    membership: 'Adhésion',
    logOut: 'Se déconnecter',
    languages: 'Langues',
    madeUp: 'Drehmoment est une outilthèque inventée : l’application d’exemple de pidgate.',
  },
  links: {
    start: 'Retour au début',
    kept: 'Ce que nous conservons sur vous',
    allKept: 'Tout ce que nous conservons sur vous',
    known: 'Ce que nous savons de vous ici',
    machines: 'Voir les machines',
    vote: 'Obtenir ma carte de vote',
    door: 'Obtenir le code de la porte',
    join: 'Devenir membre',
    eraseAccount: 'Supprimer mon compte',
    keep: 'Ne pas supprimer',
    counter: 'Passez au comptoir',
  },
  member: { title: 'Membre de Drehmoment', name: 'Nom', born: 'Naissance', number: 'Numéro' },

  home: {
    title: 'Empruntez l’outil. Gardez vos étagères vides.',
    lead: 'Perceuses, échelles et serre-joints sont prêtés à tout le monde. Pour le reste, montrez-nous qui vous êtes avec votre portefeuille d’identité numérique.',
    welcome: (name) => `Bienvenue, ${name}`,
    hello: (name) => `Bonjour, ${name}`,
    number: 'Votre numéro :',
    tour: 'Ceci est une démonstration.',
    tourLink: 'Voir les personnages à essayer et chaque étape d’une vérification',
    verified: 'Votre identité est vérifiée.',
    counter: 'Vous avez adhéré au comptoir. Veuillez vérifier une fois votre identité.',
    verify: 'Vérifier mon identité',
    how: 'Comment cela se passe',
    steps: [
      'Une page dit ce que nous demandons, et pourquoi.',
      'Votre portefeuille montre la même liste. Vous y donnez votre accord, ou non.',
      'Vous revenez ici, et nous conservons le moins possible.',
    ],
  },
  stories: {
    machines: {
      title: 'Machines dès 18 ans',
      text: 'Nous demandons votre date de naissance et conservons un oui ou un non. Sans compte.',
    },
    account: {
      title: 'Un compte en deux minutes',
      text: 'Votre portefeuille remplit le formulaire et vous connecte.',
      mine: 'Mon adhésion',
    },
    vote: {
      title: 'Une carte de vote',
      text: 'Les membres de nationalité allemande élisent notre bureau. Une seule question au service d’identité, qui répond par oui ou par non.',
    },
    door: {
      title: 'L’atelier la nuit',
      text: 'Le code de la porte demande une vérification récente, même aux membres.',
    },
    erasure: {
      title: 'Effacez mes données',
      text: 'Votre portefeuille montre que le compte est à vous. Nous le supprimons et vous donnons un reçu.',
    },
  },

  logIn: {
    title: 'Veuillez d’abord vous connecter',
    lead: 'Cette page est réservée aux membres. En tant que membre, vous n’avez besoin de votre portefeuille qu’après la connexion.',
    notYet: 'Pas encore membre ?',
    join: 'Comptez environ deux minutes : votre portefeuille remplit le formulaire et vous connecte.',
    counter: 'Pas de portefeuille ? Passez au comptoir',
    card: 'Se connecter',
    two: 'Deux membres pour essayer. Sans mot de passe.',
    afresh: 'La connexion remet tout à zéro : ce que vous avez prouvé avant ne vaut pas pour le compte.',
    erika: 'Se connecter comme Erika',
    max: 'Se connecter comme Max',
    wallet:
      'Comme Max, choisissez sa carte dans le portefeuille : celle d’Erika est refusée pour son compte.',
  },

  machines: {
    title: 'Les machines',
    lead: 'Vous avez 18 ans ou plus : vous pouvez toutes les emprunter.',
    adult: '18 ans et plus',
    verified: (time) => `vérifié le ${time}`,
    stored: 'Conservé : oui',
    byMembership: 'Votre adhésion le montre. Nous n’avons rien redemandé.',
    reserve: 'Réserver',
    reserved: 'Réservé pour vous',
    ready: (name) => `${name} : réservé pour vous, à retirer au comptoir.`,
    hours: 'Nos heures d’ouverture',
    shared: 'D’autres utilisent cet appareil ? Effacez le résultat avant de partir.',
    erase: 'Effacer ce résultat',
    perDay: (price) => `${price} par jour`,
    half: 'Les membres paient la moitié.',
    known:
      'Que vous avez au moins 18 ans. Nous avons vérifié une fois votre date de naissance, sans la conserver.',
    knownOfMember: 'Ce que dit votre adhésion : votre nom et votre date de naissance.',
  },
  shelf: {
    chainsaw: { name: 'Tronçonneuse', about: 'Guide de 40 cm, casque et pantalon compris.' },
    hammer: { name: 'Marteau-piqueur', about: '11 kg, trois burins, pour carrelage et chape.' },
    sander: { name: 'Ponceuse à parquet', about: 'Une pièce par jour ; papier abrasif vendu au mètre.' },
    chipper: { name: 'Broyeur de végétaux', about: 'Branches jusqu’à 6 cm. Il faut un attelage.' },
  },

  membership: {
    title: 'Votre adhésion',
    lead: 'Merci, votre identité est vérifiée.',
    filledIn: 'Merci, votre identité est vérifiée. Votre portefeuille a rempli le formulaire.',
    verified: 'Vérifié',
    receipt: 'Reçu',
    sandbox: 'Un portefeuille de test a répondu. Les personnes sont inventées.',
    next: 'Ce que vous pouvez faire maintenant',
    machines: 'Votre adhésion montre si vous avez 18 ans : pour les machines, nous ne redemandons rien.',
    before: 'Ce que vous aviez prouvé avant d’adhérer est effacé : cela n’appartenait à aucun compte.',
    session:
      'Cette outilthèque inventée n’a pas de base de données : le compte vit dans votre session et disparaît avec la déconnexion.',
  },

  vote: {
    title: 'Carte de vote',
    lead: (day) => `Vous pouvez élire le bureau le ${day}.`,
    no: {
      title: 'Vous ne pouvez pas voter à cette élection',
      lead: 'La réponse est non : vous n’avez pas la nationalité allemande. Selon nos statuts, seuls les membres de nationalité allemande élisent le bureau. Tout le reste vous est ouvert comme à chaque membre.',
    },
    election: 'Élection du bureau',
    again: 'Refaire la vérification',
    known:
      'Un oui ou un non à une question : avez-vous la nationalité allemande ? Vos nationalités ne nous ont pas été transmises. Nous avons comparé votre nom et votre date de naissance avec votre compte, sans les conserver.',
  },

  door: {
    title: 'Porte de l’atelier',
    lead: 'L’atelier est ouvert jour et nuit aux membres. Voici le code d’aujourd’hui.',
    until: (time) => `Jusqu’à ${time}, vous pouvez ouvrir cette page sans nouvelle vérification.`,
    why: 'Pourquoi nous demandons ici',
    because:
      'Votre compte est connecté. Mais quelqu’un d’autre utilise peut-être maintenant votre téléphone ou votre ordinateur. Avant d’ouvrir une porte, nous vous demandons une vérification, même si vous en avez déjà fait une.',
  },

  erasure: {
    title: 'Supprimer votre compte ?',
    lead: 'Nous avons trouvé votre compte. La suppression est définitive.',
    all: 'Nous supprimons le compte et tout ce que nous avons conservé de vos vérifications, puis nous vous déconnectons.',
    none: {
      title: 'Vous n’avez pas de compte ici',
      lead: 'Nous n’avons aucun membre de ce nom et de cette date de naissance. Il n’y a rien à supprimer.',
    },
    done: {
      title: 'Votre compte est supprimé',
      lead: 'Voici votre reçu. Nous n’en conservons que le numéro et l’heure, jusqu’à ce que vous fermiez le navigateur. Imprimez cette page ou notez le numéro.',
      receipt: 'Reçu',
      erased: 'Supprimé',
      regulars:
        'Cette outilthèque inventée n’a pas de base de données : ses deux membres du comptoir sont de retour à la prochaine connexion.',
    },
  },

  kept: {
    nothing: 'Aucune vérification n’est conservée.',
    erased: 'Vos données sont effacées. Aucune vérification n’est conservée.',
    all: 'Voici tout ce que nous avons conservé de vos vérifications.',
    table: 'Ce que nous conservons',
    what: 'Quoi',
    value: 'Valeur',
    verified: 'Vérifié',
    until: 'Conservé jusqu’au',
    receipt: 'Reçu',
    yes: 'oui',
    no: 'non',
    membership: 'Adhésion',
    age: 'Au moins 18 ans',
    vote: 'Nationalité allemande',
    door: 'À la porte',
    doorValue: 'identité vérifiée',
    erasure: 'Compte à supprimer',
    noneFound: 'aucun compte trouvé',
    notKept: {
      title: 'Ce que nous avons demandé sans le conserver',
      age: 'Pour les machines : votre date de naissance. Nous ne conservons qu’un oui ou un non : 18 ans ou plus.',
      vote: 'Pour l’élection : votre nom et votre date de naissance, pour les comparer avec votre compte. Vos nationalités ne nous sont jamais transmises.',
      door: 'Pour la porte : votre nom et votre date de naissance, pour les comparer avec votre compte.',
      erasure: 'Pour la suppression : votre nom et votre date de naissance, pour trouver votre compte.',
      wallet: 'La réponse signée de votre portefeuille elle-même.',
    },
    receiptOfAccount: 'Le reçu de votre compte supprimé',
    howLong: 'Combien de temps',
    atMost: 'Jusqu’à trente jours. Un « non », et les données d’une suppression : dix minutes seulement.',
    untilThen: 'Jusqu’à l’heure du tableau, et au plus jusqu’à ce que vous fermiez le navigateur.',
    randomReceipt: 'Un reçu est un numéro aléatoire.',
    logOut: 'La déconnexion efface tout.',
    account: (number, name, born) =>
      `Votre compte (${number}, ${name}, naissance le ${born}) reste jusqu’à la déconnexion.`,
    erasing: 'Effacer',
    erase: 'Effacer mes données …',
    eraseHint:
      'Vos données : tout le tableau. Vous gardez votre connexion, et refaites la vérification là où une page la demande.',
    eraseHintGuest: 'Tout le tableau. Vous refaites la vérification là où une page la demande.',
    eraseAccountHint: 'Ou le compte avec toutes ses données. Votre portefeuille montre qu’il est à vous.',
  },
  forget: {
    title: 'Effacer vos données ?',
    lead: 'Nous effaçons tout ce que nous avons conservé de vos vérifications. Pour les machines, l’élection et l’atelier, vous devrez les refaire.',
    erase: 'Effacer mes données',
  },

  notVerified: {
    tryAgain: 'Réessayer',
    otherWay: 'Autre solution : passez au comptoir',
    support: 'Code pour l’assistance :',
    declined: {
      title: 'Vous avez gardé vos données pour vous',
      text: 'Rien ne nous a été transmis, et rien n’a changé.',
    },
    notShared: {
      title: 'Votre portefeuille n’a rien transmis',
      text: 'Vous avez peut-être abandonné ou refusé, le code PIN était incorrect, ou il ne contient pas le justificatif demandé. Rien n’a changé.',
    },
    cardBlocked: {
      title: 'Votre carte d’identité électronique est bloquée',
      text: 'Débloquez-la d’abord avec le code PUK du courrier qui contenait votre code PIN, puis réessayez. Rien n’a été transmis.',
    },
    unusable: {
      title: 'Votre justificatif ne peut pas être utilisé ici',
      text: 'Une information y est incomplète ou illisible ici. Veuillez passer au comptoir.',
    },
    noBirthday: {
      title: 'Votre justificatif ne peut pas être utilisé ici',
      text: 'Votre carte ne donne pas de date de naissance complète, et il nous en faut une ici. Veuillez passer au comptoir.',
    },
    timedOut: {
      title: 'Le délai est dépassé',
      text: 'Votre portefeuille n’a pas répondu à temps, et rien n’a été transmis. Recommencez quand vous voudrez.',
    },
    ended: {
      title: 'Cette vérification est terminée',
      text: 'Elle a expiré ou a déjà servi, ou un compte a été connecté ou déconnecté depuis. Rien n’a été conservé. Veuillez recommencer.',
    },
    noCredential: {
      title: 'Votre portefeuille ne contient pas le justificatif demandé',
      text: 'Rien n’a été transmis. Ajoutez votre carte d’identité au portefeuille, puis recommencez.',
    },
    incomplete: {
      title: 'Il manque quelque chose',
      text: 'Votre portefeuille n’a pas transmis tout ce qui était demandé. Nous n’en avons rien conservé.',
    },
    noLongerValid: {
      title: 'Votre justificatif n’est plus valable',
      text: 'Il a expiré ou a été révoqué. Réessayer ne sert à rien, et nous n’en avons rien conservé. Veuillez passer au comptoir.',
    },
    notAccepted: {
      title: 'Votre justificatif n’a pas été accepté',
      text: 'Nous n’avons pas pu nous fier à ce que votre portefeuille a envoyé, et n’en avons rien conservé. Si cela se reproduit, l’application n’est peut-être pas à jour.',
    },
    otherPerson: {
      title: 'Ce justificatif ne correspond pas au compte',
      text: 'Son nom ou sa date de naissance ne sont pas ceux du compte ouvert ici. Rien n’a été conservé. Si le compte n’est pas à vous, déconnectez-vous d’abord ; si le justificatif n’est pas à vous, utilisez le vôtre.',
    },
    unavailable: {
      title: 'La vérification est impossible pour le moment',
      text: 'Vous n’y êtes pour rien. Veuillez réessayer dans quelques minutes ; tout le reste fonctionne normalement.',
    },
    broken: {
      title: 'Quelque chose ne va pas de notre côté',
      text: 'Réessayer ne sert à rien. Nous en sommes informés ; revenez un autre jour, ou demandez au comptoir.',
    },
    unknown: {
      title: 'La vérification a été interrompue',
      text: 'Nous n’avons pas pu vérifier votre identité, et n’avons rien conservé. Veuillez recommencer.',
    },
  },

  counter: {
    title: 'Au comptoir',
    lead: 'Apportez une pièce d’identité avec photo. Nous la regardons, sans rien copier.',
    hours: 'Du mardi au samedi, de 10 h à 18 h, Werkstraße 12.',
    door: 'L’atelier à toute autre heure : sonnez, et un membre de permanence vous ouvre.',
    minors: 'Moins de 18 ans : perceuses, échelles et serre-joints, sans pièce d’identité.',
  },
  notFound: {
    title: 'Page introuvable',
    lead: 'Il n’y a pas de page à cette adresse. Peut-être l’une de celles-ci ?',
  },
  failed: {
    title: 'Cela ne fonctionne pas pour le moment',
    lead: 'Vous n’y êtes pour rien. Veuillez réessayer dans un instant.',
  },
  otherSite: { title: 'Ce formulaire vient d’un autre site', lead: 'Rien n’a changé.' },

  pidgate: {
    purpose: 'Votre adhésion : le portefeuille nous dit qui vous êtes et remplit le formulaire.',
    'reasons.counter': 'Vous avez adhéré au comptoir. Montrez-nous une fois que c’est bien vous.',
    keptAs: 'Votre nom\nVotre date de naissance',
    'purpose.age': 'Il faut avoir 18 ans pour emprunter des machines.',
    'keptAs.age': 'Oui ou non : 18 ans ou plus',
    'notKept.age': 'Votre date de naissance',
    'purpose.vote':
      'Selon nos statuts, les membres de nationalité allemande élisent le bureau. Nous vérifions si vous l’avez, et comparons votre nom et votre date de naissance avec votre compte.',
    'keptAs.vote': 'Oui ou non : nationalité allemande',
    'notKept.vote': 'Le nom de votre pièce d’identité\nVotre date de naissance',
    'purpose.door': 'Avant de montrer le code de la porte, nous voulons nous assurer que c’est bien vous.',
    'keptAs.door': 'Le fait que votre identité est vérifiée',
    'notKept.door': 'Le nom de votre pièce d’identité\nVotre date de naissance',
    'purpose.erasure':
      'Avant de supprimer votre compte, nous vérifions qu’il est à vous. Il en reste un reçu, jusqu’à la fermeture du navigateur.',
    'keptAs.erasure': 'Le numéro de votre compte',
    'notKept.erasure': 'Le nom de votre pièce d’identité\nVotre date de naissance',
    'refused.age.title': 'Il faut avoir 18 ans pour emprunter des machines',
    'refused.age.text':
      'D’après votre portefeuille, vous êtes plus jeune. Perceuses, échelles et serre-joints : sans pièce d’identité.',
    'refused.age.link': '[Ce n’était pas la bonne carte ? Effacer ce résultat](/forget)',
    not_kept_title: 'Ici, nous ne conservons pas',
    other_way: 'Je n’ai pas de portefeuille : passer au comptoir',
    other_way_button: 'Passer au comptoir',
  },
};
