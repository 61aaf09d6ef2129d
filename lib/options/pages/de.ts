import type { Texts } from './en.js';

/** The built-in German texts. */
export const de: Texts = {
  cancel: 'Abbrechen',
  home: 'Zurück zu {name}',
  privacy: 'Datenschutz',
  start_again: 'Neu beginnen',
  try_again: 'Noch einmal versuchen',
  continue: 'Weiter',
  support: 'Wenn Sie sich an {name} wenden, nennen Sie diesen Code: {code}',

  start_title: 'Weisen Sie sich aus',
  start_title_age: 'Weisen Sie Ihr Alter nach',
  start_purpose: '{name} bittet Sie um einen Nachweis aus Ihrer Wallet.',
  start_asked: 'Diese Angaben werden abgefragt',
  family_name: 'Familienname',
  given_name: 'Vorname',
  birth_date: 'Geburtsdatum',
  nationality: 'Staatsangehörigkeit',
  age_over: 'Ob Sie {years} Jahre oder älter sind',
  age_over_or_date:
    'Kann Ihre Wallet das nicht ohne Geburtsdatum bestätigen, übermittelt sie Ihr Geburtsdatum. {name} speichert es nicht.',
  age_over_by_date:
    'Ihre Wallet übermittelt Ihr Geburtsdatum. {name} speichert davon nur, ob Sie {years} Jahre oder älter sind.',
  derived_nationality: 'Staatsangehörigkeit: {country}',
  derived_answer: 'nur Ja oder Nein',
  kept_title: 'Das wird gespeichert',
  kept_title_for: 'Das speichern wir bis zum Ende Ihrer Sitzung, aber höchstens {duration}',
  kept: 'Ob {name} Ihre Angaben speichert, steht hier nicht. Eine Belegnummer und der Zeitpunkt werden bis zum Ende Ihrer Sitzung gespeichert, aber höchstens {duration}.',
  kept_receipt: 'Zeitpunkt und Belegnummer',
  not_kept_title: 'Das speichern wir nicht',
  start_button: 'Weiter zu meiner Wallet',
  start_renew: 'Für diese Seite müssen Sie sich noch einmal ausweisen: Das letzte Mal liegt zu lange zurück.',
  needs:
    'Die Wallet ist die App auf Ihrem Smartphone, in der Ihr amtlicher Ausweis liegt (nicht die AusweisApp). Sie brauchen die Wallet und deren PIN. Es dauert etwa zwei Minuten.',
  other_way: 'Ich habe keine Wallet: andere Wege',
  other_way_button: 'Anderen Weg wählen',
  another_id: 'Einen anderen Ausweis verwenden',
  start_note:
    'Ihre Wallet zeigt Ihnen dieselbe Liste noch einmal. Erst wenn Sie dort zustimmen, wird etwas übermittelt.',
  start_foreign:
    'Der Vorgang hat nicht begonnen, denn die Anfrage kam nicht von dieser Seite. Bitte beginnen Sie hier.',
  start_dropped:
    'Wir konnten nicht feststellen, dass Sie diesen Vorgang selbst begonnen haben. Wenn das wieder geschieht, sagen Sie bitte {name} Bescheid.',
  sandbox: 'Test: erfundene Daten, beweist nichts',
  needs_in_test:
    'Die Wallet ist die App, in der Ihr amtlicher Ausweis liegt (nicht die AusweisApp). Hier brauchen Sie kein Smartphone und keine eigene PIN: Statt Ihrer Wallet antwortet eine Testumgebung.',

  declined_title: 'Sie haben abgebrochen',
  declined_text:
    '{name} hat aus dieser Anfrage keine Ihrer Angaben gespeichert. Wenn Sie es sich anders überlegen, beginnen Sie einfach neu.',
  not_shared_title: 'Ihre Wallet hat nichts übermittelt',
  not_shared_text:
    'Vielleicht haben Sie abgebrochen oder abgelehnt, die PIN war falsch, oder die Wallet enthält keinen passenden Ausweis. Sie können es noch einmal versuchen, auch mit einer anderen Wallet.',
  card_blocked_title: 'Die PIN Ihres Ausweises ist gesperrt',
  card_blocked_text:
    'Ein neuer Versuch hilft erst, wenn die PIN entsperrt ist. Wie das geht, sagt die ausstellende Stelle: Für einen deutschen Ausweis brauchen Sie die PUK aus dem PIN-Brief. Kommen Sie danach wieder. An {name} wurde nichts übermittelt.',
  timed_out_title: 'Die Zeit ist abgelaufen',
  timed_out_text:
    'Der Vorgang wurde nicht rechtzeitig abgeschlossen. An diesen Browser wurden keine Daten übermittelt. Bitte beginnen Sie neu.',
  credential_missing_title: 'In Ihrer Wallet fehlt ein passender Ausweis',
  credential_missing_text:
    'An {name} wurde nichts übermittelt. Fügen Sie der Wallet Ihren Ausweis hinzu, und beginnen Sie neu. Oder beginnen Sie neu, und verwenden Sie die Wallet, die ihn enthält.',
  expired_title: 'Der Ausweis in Ihrer Wallet ist abgelaufen',
  expired_text:
    'Ein neuer Versuch hilft erst, wenn Ihre Wallet einen gültigen Ausweis enthält. {name} hat nichts von dem gespeichert, was übermittelt wurde.',
  revoked_title: 'Der Ausweis in Ihrer Wallet ist nicht mehr gültig',
  revoked_text:
    'Die ausstellende Stelle hat ihn widerrufen oder gesperrt. Ein neuer Versuch hilft erst, wenn das dort geklärt ist. {name} hat nichts von dem gespeichert, was übermittelt wurde.',
  proof_title: 'Ihr Nachweis wurde nicht anerkannt',
  proof_text:
    'Was Ihre Wallet geschickt hat, konnte nicht als Nachweis anerkannt werden. Bitte beginnen Sie neu. Falls es wieder passiert, aktualisieren Sie bitte Ihre Wallet.',
  unusable_title: 'Ihr Ausweis lässt sich hier nicht nutzen',
  unusable_text:
    'Eine abgefragte Angabe ist darauf unvollständig, zum Beispiel ein Geburtsdatum ohne Tag. Ein neuer Versuch mit demselben Ausweis hilft nicht.',
  incomplete_title: 'Es fehlt etwas',
  incomplete_text:
    'Ihre Wallet hat nicht alle abgefragten Angaben übermittelt. Bitte beginnen Sie neu, und geben Sie in der Wallet alle Angaben frei.',
  refused_title: 'Hier geht es leider nicht weiter',
  refused_text:
    'Ihr Ausweis wurde geprüft, aber {name} kann ihn für Ihr Anliegen nicht annehmen. Ein neuer Versuch mit demselben Ausweis ändert daran nichts.',
  insufficient_title: 'Sie haben keinen Zugang zu dieser Seite',
  insufficient_text: 'Sie haben sich ausgewiesen, erfüllen aber die Bedingungen dieser Seite nicht.',
  still_counts: 'Was Sie früher nachgewiesen haben, gilt weiterhin.',
  insufficient_again: 'Was Sie nachgewiesen haben, bleibt noch höchstens {duration} gespeichert.',
  ended_title: 'Wir finden diesen Vorgang nicht',
  ended_text: 'Vielleicht ist er abgelaufen. Bitte beginnen Sie neu.',
  used_title: 'Dieser Vorgang ist beendet',
  used_text:
    'Er ist abgelaufen, schon abgeschlossen oder wurde in einem anderen Browser geöffnet. Haben Sie ihn abgeschlossen, gehen Sie zurück zu {name}. Sonst beginnen Sie bitte neu.',
  service_error_title: 'Der Nachweis hat nicht geklappt',
  service_error_text:
    'Die Wallet oder der Ausweisdienst hat den Vorgang beendet. An diesen Browser wurden keine Daten übermittelt, und {name} hat keine Antwort von Ihnen verwendet. Bitte beginnen Sie neu.',
  away_title: 'Der Ausweisdienst ist gerade nicht erreichbar',
  away_text:
    'Er war nicht zu erreichen oder hat nicht geantwortet. Es liegt nicht an Ihnen, und es wurden keine Ihrer Angaben gespeichert. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  trouble_title: 'Der Ausweisdienst ist gerade gestört',
  trouble_text:
    'Es liegt nicht an Ihnen, und es wurden keine Ihrer Angaben gespeichert. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  unchecked_title: 'Wir können Ihren Ausweis gerade nicht prüfen',
  unchecked_text:
    'Dafür müssen wir etwas nachschlagen, zum Beispiel ob er noch gültig ist. Das ging gerade nicht. Es liegt nicht an Ihnen, und {name} hat nichts von dem gespeichert, was übermittelt wurde. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  busy_title: 'Der Vorgang wurde unterbrochen',
  busy_text:
    'Wir konnten den Vorgang nicht fortsetzen. Es liegt nicht an Ihnen. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  limited_title: 'Bitte warten Sie einen Augenblick',
  limited_text:
    'Aus Ihrem Netz kamen gerade zu viele Anfragen. Das muss nicht an Ihnen liegen. Bitte versuchen Sie es in etwa {duration} noch einmal.',
  set_up_title: 'Diese Website ist nicht richtig eingerichtet',
  set_up_text:
    'Sie können sich hier zurzeit nicht ausweisen. Ein neuer Versuch hilft nicht. Bitte informieren Sie {name}.',
  foreign_title: 'Es hat sich nichts geändert',
  foreign_text:
    'Wir konnten nicht feststellen, dass das von einer Seite von {name} kam, und haben nichts getan. Wenn Sie einen Vorgang begonnen haben, läuft er weiter: Gehen Sie zurück zu der Seite, auf der er begonnen hat. Finden Sie diese Seite nicht, beginnen Sie neu.',
  not_found_title: 'Seite nicht gefunden',
  not_found_text: 'Unter dieser Adresse gibt es keine Seite.',
  address_title: 'Bitte nutzen Sie die Hauptadresse dieser Website',
  address_text:
    'Unter dieser Internetadresse können Sie sich nicht ausweisen. Der Knopf führt zur Hauptadresse der Website.',
  link_title: 'Dieser Link ist ungültig',
  link_text:
    'Der Link, über den Sie gekommen sind, hätte Sie danach zu einer Seite geführt, die nicht zu {name} gehört.',
  unknown_title: 'Das hat nicht geklappt',
  unknown_text: 'Dabei ist etwas schiefgegangen. Bitte beginnen Sie neu.',

  elsewhere_title: 'Ihre Wallet hat einen anderen Browser geöffnet',
  elsewhere_text:
    'Dieser Vorgang wurde in einem anderen Browser begonnen, oder Sie haben sich seitdem an- oder abgemeldet. Zu Ihrem Schutz haben wir ihn beendet. An diesen Browser wurden keine Daten übermittelt, und {name} hat Ihre Antwort nicht verwendet.',
  elsewhere_now: 'Beginnen Sie in diesem Browser neu: Dann bringt Ihre Wallet Sie auch hierher zurück.',
  elsewhere_other: 'Ich habe in einem anderen Browser begonnen und möchte dort weitermachen',
  elsewhere_other_text:
    'Was Sie in dem anderen Browser begonnen hatten, ist beendet. Ist Ihre Wallet auf einem anderen Gerät, gehen Sie zurück zu dem anderen Browser, und beginnen Sie neu. Ist sie auf diesem Gerät, beginnen Sie hier neu, denn sie öffnet wieder diesen Browser.',
  elsewhere_button: 'Hier neu beginnen',
  elsewhere_warning:
    'Hat Ihnen jemand diesen Link geschickt? Dann schließen Sie diese Seite: Es gibt keinen guten Grund, Ihnen einen solchen Link zu schicken.',
  session_over_title: 'Ihre Sitzung ist beendet',
  session_over_text:
    'Vielleicht haben Sie sich abgemeldet oder lange gewartet. An diesen Browser wurden keine Daten übermittelt. Bitte beginnen Sie neu.',
  unrecognised_title: '{name} erkennt diesen Browser nicht',
  unrecognised_text:
    'Vielleicht blockiert dieser Browser Cookies. Dann erlauben Sie sie für diese Website, und laden Sie diese Seite neu. Wenn das nicht hilft, beginnen Sie neu.',
  unrecognised_other: 'Bitte gehen Sie zurück zu dem anderen Browser, und machen Sie dort weiter.',
  broken_title: 'Diese Internetadresse ist unvollständig',
  broken_text:
    'Auf dem Weg zu {name} ging ein Teil davon verloren. An diesen Browser wurden keine Daten übermittelt. Bitte beginnen Sie neu.',
  changed_title: 'Die Anmeldung hat sich geändert',
  changed_text:
    'Seit Beginn dieses Vorgangs hat sich in diesem Browser jemand an- oder abgemeldet. An das Konto, das jetzt offen ist, wurden keine Daten übermittelt. Melden Sie sich mit dem richtigen Konto an, und beginnen Sie dann neu.',
  unfinished_title: 'Fast geschafft',
  unfinished_text:
    'Ihre Wallet hat geantwortet, aber {name} konnte den Vorgang gerade nicht abschließen. Es ist nichts verloren: Bitte versuchen Sie es noch einmal.',
  redirect_title: 'Einen Augenblick',
  redirect_text: 'Sie kommen gleich zurück zu {name}.',
  wallet_text: 'Sie kommen gleich zu Ihrer Wallet.',

  wallet_title: 'Weiter in Ihrer Wallet',
  wallet_lead:
    'Ihre Wallet zeigt Ihnen diese Liste noch einmal. Erst wenn Sie dort zustimmen, wird etwas übermittelt.',
  wallet_open: 'Meine Wallet öffnen',
  wallet_scan:
    'Scannen Sie diesen Code mit dem Smartphone, auf dem Ihre Wallet ist: mit der Wallet oder mit der Kamera.',
  wallet_code_label: 'QR-Code für Ihre Wallet',
  wallet_warning:
    'Scannen Sie ihn nur, wenn Sie diese Seite selbst geöffnet haben. Hat Ihnen jemand den Code geschickt, scannen Sie ihn nicht: Sonst bekommt diese Person Ihre Daten.',
  wallet_other_device: 'Nichts passiert? Meine Wallet ist auf einem anderen Gerät',
  wallet_this_device: 'Meine Wallet ist auf diesem Gerät',
  wallet_browser: 'Meine Wallet vom Browser suchen lassen',
  wallet_browser_failed:
    'Über Ihren Browser kam keine Antwort. Vielleicht haben Sie das Auswahlfenster geschlossen, oder der Browser hat keine Wallet oder darf sie hier nicht verwenden. Sie können es noch einmal versuchen.',
  wallet_browser_unable:
    'Dieser Browser kann sich nicht mit einer Wallet verbinden. Öffnen Sie diese Website in einem anderen Browser.',
  wallet_until: 'Diese Anfrage ist bis {time} offen.',
  wallet_waiting: 'Diese Seite geht von selbst weiter, sobald Ihre Wallet geantwortet hat.',
  wallet_soon: 'Diese Anfrage endet in weniger als zwei Minuten.',
  wallet_slow: 'Hat Ihre Wallet einen Fehler gezeigt? Brechen Sie ab, und sagen Sie {name} Bescheid.',
  wallet_away: '{name} antwortet gerade nicht. Wenn das so bleibt, beginnen Sie bitte später neu.',
  wallet_reload: 'Meine Wallet hat geantwortet',
  wallet_notice:
    'Es kam eine Antwort, aber sie konnte nicht verwendet werden: „{reason}“. Sie können es hier noch einmal versuchen.',
  wallet_gone_title: 'Diese Anfrage gilt nicht mehr',
  wallet_gone_text:
    'Ihre Wallet kann diese Anfrage nicht mehr beantworten. Es liegt nicht an Ihnen. Bitte beginnen Sie neu.',
  wallet_cancel: 'Diese Anfrage abbrechen',
  wallet_answered_title: 'Ihre Wallet hat geantwortet',
  wallet_answered_text:
    'Sie hat eine Seite geöffnet, auf der steht, wie es weitergeht, vielleicht in einem anderen Browser dieses Geräts.',
  wallet_answered_again:
    'Sie finden die Seite nicht, die Ihre Wallet geöffnet hat? Sehen Sie in den anderen Browsern dieses Geräts nach. Ist sie in keinem, beginnen Sie hier neu.',
};
