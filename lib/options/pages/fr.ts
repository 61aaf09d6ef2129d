import type { Texts } from './en.js';

/** The built-in French texts. No line may break before : ; ! ? or inside « », so the spaces there are unbreakable. */
export const fr: Texts = {
  cancel: 'Annuler',
  home: 'Retour à {name}',
  privacy: 'Confidentialité',
  start_again: 'Recommencer',
  try_again: 'Réessayer',
  continue: 'Continuer',
  support: 'Si vous contactez {name}, indiquez ce code : {code}',

  start_title: 'Prouvez votre identité',
  start_title_age: 'Prouvez votre âge',
  start_purpose: '{name} vous demande une preuve, que fournit votre application d’identité.',
  start_asked: 'Ce qui vous sera demandé',
  family_name: 'Nom de famille',
  given_name: 'Prénom',
  birth_date: 'Date de naissance',
  nationality: 'Nationalité',
  age_over: 'Avoir {years} ans ou plus',
  age_over_or_date:
    'Si votre application d’identité ne peut pas répondre par oui ou non, elle transmet votre date de naissance, et {name} ne la conserve pas.',
  age_over_by_date:
    'Votre application d’identité transmet votre date de naissance. {name} n’en conserve que la réponse : {years} ans ou plus, oui ou non.',
  derived_nationality: 'Avoir la nationalité de ce pays : {country}',
  derived_answer: 'seulement oui ou non',
  kept_title: 'Ce qui est conservé',
  kept_title_for: 'Conservé pendant {duration} au plus, et jamais au-delà de votre session',
  kept: '{name} n’indique pas ici si ce que vous transmettez est conservé. Un numéro de reçu, la date et l’heure sont conservés pendant {duration} au plus, et jamais au-delà de votre session.',
  kept_receipt: 'La date, l’heure et un numéro de reçu',
  not_kept_title: 'Ce qui n’est pas conservé',
  start_button: 'Continuer avec mon application d’identité',
  start_renew: 'Votre dernière vérification est trop ancienne. Veuillez recommencer.',
  needs:
    'L’application d’identité, sur votre téléphone, contient votre pièce d’identité officielle. Vous aurez besoin de cette application et de son code PIN. Comptez environ deux minutes.',
  other_way: 'Je n’ai pas d’application d’identité : autres solutions',
  other_way_button: 'Choisir une autre solution',
  another_id: 'Utiliser une autre pièce d’identité',
  start_note:
    'Votre application d’identité affichera de nouveau les informations demandées. Rien n’est transmis sans votre accord.',
  start_foreign:
    'La vérification n’a pas commencé, car la demande ne venait pas de cette page. Veuillez la lancer ici.',
  start_dropped:
    'Nous n’avons pas pu confirmer que vous avez lancé cette vérification vous-même. Veuillez la lancer ici. Si cela se reproduit, merci de le signaler à {name}.',
  sandbox: 'Test : données fictives, sans valeur',
  needs_in_test:
    'L’application d’identité contient votre pièce d’identité officielle. Ici, vous n’avez besoin ni de téléphone ni de votre propre code PIN : un environnement de test remplace cette application.',

  declined_title: 'Vous avez annulé',
  declined_text: '{name} n’a conservé aucune de vos données. Si vous changez d’avis, recommencez.',
  not_shared_title: 'Votre application d’identité n’a rien transmis',
  not_shared_text:
    'Vous avez peut-être abandonné ou refusé, le code PIN était peut-être faux, ou votre application d’identité ne contient peut-être pas la pièce d’identité demandée. Vous pouvez réessayer, y compris avec une autre application d’identité.',
  card_blocked_title: 'Votre carte d’identité électronique est bloquée',
  card_blocked_text:
    'Réessayer ne sert à rien tant qu’elle est bloquée. L’organisme qui l’a délivrée indique comment la débloquer : pour une carte allemande, avec le code PUK du courrier qui contenait le code PIN. Revenez ensuite. Rien n’a été transmis à {name}.',
  timed_out_title: 'Le délai est dépassé',
  timed_out_text:
    'La vérification n’a pas été terminée à temps. Aucune donnée n’a été transmise à ce navigateur. Veuillez recommencer.',
  credential_missing_title: 'Votre application d’identité ne contient pas la pièce d’identité demandée',
  credential_missing_text:
    'Rien n’a été transmis à {name}. Ajoutez votre pièce d’identité officielle à l’application, ou utilisez une autre application qui la contient. Recommencez ensuite.',
  expired_title: 'La pièce d’identité de votre application a expiré',
  expired_text:
    'Réessayer ne sert à rien sans pièce d’identité valable dans votre application d’identité. {name} n’a rien conservé de ce qui a été transmis.',
  revoked_title: 'La pièce d’identité de votre application n’est plus valable',
  revoked_text:
    'L’organisme qui l’a délivrée l’a révoquée ou suspendue. Réessayer ne sert à rien tant que la question n’est pas réglée avec lui. {name} n’a rien conservé de ce qui a été transmis.',
  proof_title: 'Votre preuve n’a pas été acceptée',
  proof_text:
    'Ce que votre application d’identité a envoyé n’a pas pu être accepté comme preuve. Veuillez recommencer. Si cela se reproduit, vérifiez que l’application est à jour.',
  unusable_title: 'Votre pièce d’identité ne peut pas être utilisée ici',
  unusable_text:
    'Une information demandée y est incomplète, par exemple une date de naissance sans le jour. Réessayer avec la même pièce d’identité ne sert à rien.',
  incomplete_title: 'Il manque quelque chose',
  incomplete_text:
    'Votre application d’identité n’a pas transmis tout ce qui était demandé. Veuillez recommencer et accepter de transmettre toutes les informations demandées.',
  refused_title: 'Vous ne pouvez pas continuer ici',
  refused_text:
    'Votre pièce d’identité a été vérifiée, mais {name} ne peut pas l’accepter pour votre démarche. Recommencer avec la même pièce d’identité n’y changera rien.',
  insufficient_title: 'Cette page ne vous est pas accessible',
  insufficient_text: 'La vérification a réussi, mais vous ne remplissez pas les conditions de cette page.',
  still_counts: 'Ce que vous avez prouvé auparavant reste valable.',
  insufficient_again: 'Ce que vous avez prouvé reste conservé pendant {duration} au plus.',
  ended_title: 'Nous ne trouvons pas cette vérification',
  ended_text: 'Elle a peut-être expiré. Veuillez recommencer.',
  used_title: 'Cette vérification a pris fin',
  used_text:
    'Elle a expiré, elle a déjà abouti, ou elle a été ouverte dans un autre navigateur. Si vous l’avez terminée, revenez à {name}. Sinon, veuillez recommencer.',
  service_error_title: 'La vérification n’a pas abouti',
  service_error_text:
    'L’application d’identité ou le service d’identité a interrompu la vérification. Aucune donnée n’a été transmise à ce navigateur, et {name} n’a utilisé aucune réponse de votre part. Veuillez recommencer.',
  away_title: 'Le service d’identité n’est pas disponible',
  away_text:
    'Il est injoignable ou ne répond pas. Vous n’y êtes pour rien, et aucune de vos données n’a été conservée. Veuillez réessayer dans quelques minutes.',
  trouble_title: 'Le service d’identité a rencontré un problème',
  trouble_text:
    'Vous n’y êtes pour rien, et aucune de vos données n’a été conservée. Veuillez réessayer dans quelques minutes.',
  unchecked_title: 'Nous ne pouvons pas vérifier votre pièce d’identité pour le moment',
  unchecked_text:
    'Nous n’avons pas pu consulter les informations nécessaires, par exemple pour savoir si elle est encore valable. Vous n’y êtes pour rien, et {name} n’a rien conservé de ce qui a été transmis. Veuillez réessayer dans quelques minutes.',
  busy_title: 'La vérification a été interrompue',
  busy_text:
    'Nous n’avons pas pu poursuivre la vérification. Vous n’y êtes pour rien. Veuillez réessayer dans quelques minutes.',
  limited_title: 'Un instant, s’il vous plaît',
  limited_text:
    'Trop de demandes sont venues de votre réseau. Cela ne vient pas forcément de vous. Veuillez réessayer dans {duration} environ.',
  set_up_title: 'Ce site n’est pas configuré correctement',
  set_up_text:
    'La vérification d’identité n’est pas possible ici pour le moment, et réessayer ne sert à rien. Merci de le signaler à {name}.',
  foreign_title: 'Rien n’a changé',
  foreign_text:
    'Nous n’avons pas pu confirmer que cette demande venait d’une page du site {name}, et nous n’avons rien fait. Si vous aviez commencé une vérification, elle reste en cours : retournez à sa page. Si vous ne la retrouvez pas, recommencez.',
  not_found_title: 'Page introuvable',
  not_found_text: 'Il n’y a pas de page à cette adresse.',
  address_title: 'Veuillez utiliser l’adresse principale du site',
  address_text:
    'La vérification d’identité n’est pas possible à cette adresse web. Le bouton mène à l’adresse principale du site.',
  link_title: 'Ce lien n’est pas valide',
  link_text: 'Le lien que vous avez suivi conduisait ensuite à une page qui n’est pas sur le site {name}.',
  unknown_title: 'Cela n’a pas fonctionné',
  unknown_text: 'Un problème est survenu. Veuillez recommencer.',

  elsewhere_title: 'Votre application d’identité a ouvert un autre navigateur',
  elsewhere_text:
    'Cette vérification a été lancée dans un autre navigateur, ou quelqu’un s’est connecté ou déconnecté sur ce site depuis. Pour votre sécurité, nous avons mis fin à cette vérification. Aucune donnée n’a été transmise à ce navigateur, et {name} n’a pas utilisé votre réponse.',
  elsewhere_now: 'Recommencez dans ce navigateur : votre application d’identité vous y ramènera.',
  elsewhere_other: 'J’ai commencé dans un autre navigateur et je préfère y continuer',
  elsewhere_other_text:
    'La vérification que vous y aviez commencée a pris fin. Si votre application d’identité est sur un autre appareil, recommencez dans l’autre navigateur. Si elle est sur cet appareil, recommencez ici, car elle ouvrirait de nouveau ce navigateur.',
  elsewhere_button: 'Recommencer ici',
  elsewhere_warning:
    'Quelqu’un vous a envoyé ce lien ? Alors fermez cette page : personne n’a de bonne raison de vous demander de l’ouvrir.',
  session_over_title: 'Votre session est terminée',
  session_over_text:
    'Vous avez peut-être fermé votre session, ou l’attente a été trop longue. Aucune donnée n’a été transmise à ce navigateur. Veuillez recommencer.',
  unrecognised_title: '{name} ne reconnaît pas ce navigateur',
  unrecognised_text:
    'Ce navigateur bloque peut-être les cookies. Dans ce cas, autorisez-les pour ce site, puis rechargez cette page. Si cela ne suffit pas, recommencez.',
  unrecognised_other: 'Retournez dans l’autre navigateur et continuez-y.',
  broken_title: 'Cette adresse est incomplète',
  broken_text:
    'Une partie s’est perdue en chemin vers {name}. Aucune donnée n’a été transmise à ce navigateur. Veuillez recommencer.',
  changed_title: 'La connexion au site a changé',
  changed_text:
    'Quelqu’un s’est connecté ou déconnecté dans ce navigateur depuis le début de cette vérification. Aucune donnée n’a été transmise au compte ouvert maintenant. Connectez-vous avec le bon compte, puis recommencez.',
  unfinished_title: 'C’est presque terminé',
  unfinished_text:
    'Votre application d’identité a répondu, mais {name} n’a pas pu terminer la vérification pour l’instant. Rien n’est perdu : veuillez réessayer.',
  redirect_title: 'Un instant',
  redirect_text: 'Nous vous ramenons à {name}.',
  wallet_text: 'Votre application d’identité va s’ouvrir.',

  wallet_title: 'Continuez dans votre application d’identité',
  wallet_lead:
    'Votre application d’identité affichera de nouveau cette liste. Rien n’est transmis sans votre accord.',
  wallet_open: 'Ouvrir mon application d’identité',
  wallet_scan:
    'Scannez ce code avec le téléphone sur lequel se trouve votre application d’identité : avec l’application ou avec l’appareil photo.',
  wallet_code_label: 'Code QR pour votre application d’identité',
  wallet_warning:
    'Ne le scannez que si vous avez ouvert cette page vous-même. Si quelqu’un vous a envoyé ce code, ne le scannez pas : cette personne recevrait vos données.',
  wallet_other_device: 'Rien ne se passe ? Mon application d’identité est sur un autre appareil',
  wallet_this_device: 'Mon application d’identité est sur cet appareil',
  wallet_browser: 'Laisser le navigateur trouver mon application d’identité',
  wallet_browser_failed:
    'Votre navigateur n’a renvoyé aucune réponse. Vous avez peut-être fermé la fenêtre qu’il a ouverte, ou il ne peut pas utiliser d’application d’identité ici. Vous pouvez réessayer.',
  wallet_browser_unable:
    'Ce navigateur ne peut pas communiquer avec une application d’identité. Ouvrez ce site dans un autre navigateur.',
  wallet_until: 'Cette demande est ouverte jusqu’à {time}.',
  wallet_waiting: 'Vous passerez à la suite dès que votre application d’identité aura répondu.',
  wallet_soon: 'Cette demande expire dans moins de deux minutes.',
  wallet_slow: 'Votre application d’identité a affiché une erreur ? Annulez, et dites-le à {name}.',
  wallet_away: '{name} ne répond pas pour le moment. Si cela dure, veuillez recommencer plus tard.',
  wallet_reload: 'Mon application d’identité a répondu',
  wallet_notice:
    'Une réponse est arrivée, mais elle n’a pas pu être prise en compte : « {reason} ». Vous pouvez réessayer ici.',
  wallet_gone_title: 'Cette demande n’est plus valable',
  wallet_gone_text:
    'Votre application d’identité ne peut plus répondre à cette demande. Vous n’y êtes pour rien. Veuillez recommencer.',
  wallet_cancel: 'Annuler cette demande',
  wallet_answered_title: 'Votre application d’identité a répondu',
  wallet_answered_text:
    'Elle a ouvert une page qui indique la suite, peut-être dans un autre navigateur de cet appareil.',
  wallet_answered_again:
    'Vous ne trouvez pas cette page ? Cherchez-la dans les autres navigateurs de cet appareil. Si elle n’y est pas, recommencez ici.',
};
