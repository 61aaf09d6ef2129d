import type { Texts } from './en.js';

/** The built-in German texts. */
export const de: Texts = {
  cancel: 'Abbrechen',
  home: 'Zurück zu {name}',
  privacy: 'Datenschutz',
  start_again: 'Neu beginnen',
  try_again: 'Noch einmal versuchen',
  continue: 'Weiter',
  support: 'Für Rückfragen: {code}',

  start_title: 'Weisen Sie sich aus',
  start_purpose: '{name} bittet Sie, Ihre Identität mit Ihrer Ausweis-App zu bestätigen.',
  start_asked: 'Danach werden Sie gefragt',
  family_name: 'Familienname',
  given_name: 'Vorname',
  birth_date: 'Geburtsdatum',
  nationality: 'Staatsangehörigkeit',
  derived_nationality: 'Ob Sie diese Staatsangehörigkeit haben: {country}',
  derived_answer: 'nur Ja oder Nein',
  kept_title: 'Das wird gespeichert',
  kept: '{name} merkt sich einen Teil davon in Ihrer Sitzung. Höchstdauer: {duration}.',
  kept_nothing:
    '{name} merkt sich in Ihrer Sitzung, dass Sie sich ausgewiesen haben, und wann. Höchstdauer: {duration}.',
  start_button: 'Weiter zu meiner Ausweis-App',
  start_note:
    'Ihre Ausweis-App zeigt Ihnen dieselbe Liste noch einmal. Erst wenn Sie dort zustimmen, wird etwas übermittelt.',
  start_foreign: 'Der Vorgang wurde nicht von dieser Seite aus gestartet. Bitte starten Sie ihn hier.',
  sandbox:
    'Testbetrieb: Statt des Ausweisdienstes antwortet eine Testumgebung. Sie beweist über niemanden etwas.',

  declined_title: 'Sie haben in Ihrer Ausweis-App abgelehnt',
  declined_text:
    'An {name} wurde nichts übermittelt. Wenn Sie es sich anders überlegen, beginnen Sie einfach neu.',
  timed_out_title: 'Die Zeit ist abgelaufen',
  timed_out_text:
    'Ihre Ausweis-App hat nicht rechtzeitig geantwortet. An {name} wurde nichts übermittelt. Bitte beginnen Sie neu.',
  credential_missing_title: 'In Ihrer Ausweis-App fehlt ein passender Ausweis',
  credential_missing_text:
    'An {name} wurde nichts übermittelt. Fügen Sie der App Ihren Ausweis hinzu, oder nehmen Sie die App, in der er ist. Beginnen Sie dann neu.',
  proof_title: 'Ihr Nachweis wurde nicht anerkannt',
  proof_text:
    'Was Ihre Ausweis-App geschickt hat, reicht als Nachweis nicht aus. Bitte beginnen Sie neu. Wenn es wieder geschieht, müssen vielleicht die App oder Ihr Ausweis erneuert werden.',
  incomplete_title: 'Es fehlt etwas',
  incomplete_text:
    'Ihre Ausweis-App hat nicht alles übermittelt, wonach gefragt wurde. Bitte beginnen Sie neu und stimmen Sie allem zu.',
  refused_title: 'Hier geht es leider nicht weiter',
  refused_text:
    'Ihre Identität wurde bestätigt, aber {name} kann sie für Ihr Anliegen nicht anerkennen. Ein neuer Versuch ändert daran nichts.',
  insufficient_title: 'Hier geht es leider nicht weiter',
  insufficient_text:
    'Sie haben sich ausgewiesen, erfüllen aber die Bedingungen dieser Seite nicht. Sich noch einmal auszuweisen, ändert daran nichts.',
  ended_title: 'Dieser Vorgang ist beendet',
  ended_text: 'Er ist abgelaufen oder wurde schon benutzt. Bitte beginnen Sie neu.',
  service_error_title: 'Ihre Identität wurde nicht bestätigt',
  service_error_text:
    'Die Ausweis-App oder der Ausweisdienst hat den Vorgang beendet. An {name} wurde nichts übermittelt. Bitte beginnen Sie neu.',
  away_title: 'Der Ausweisdienst ist nicht erreichbar',
  away_text:
    'Er hat nicht geantwortet. Es liegt nicht an Ihnen. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  busy_title: 'Das hat nicht geklappt',
  busy_text:
    'Wir konnten den Vorgang nicht fortsetzen. Es liegt nicht an Ihnen. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  set_up_title: 'Diese Website ist nicht richtig eingerichtet',
  set_up_text:
    'Das Ausweisen kann zurzeit nicht gelingen, auch nicht bei einem neuen Versuch. Bitte sagen Sie {name} Bescheid.',
  foreign_title: 'Bitte beginnen Sie auf dieser Website',
  foreign_text: 'Ausweisen können Sie sich nur von einer Seite von {name} aus. Es ist nichts geschehen.',
  not_found_title: 'Hier ist nichts',
  not_found_text: 'Unter dieser Adresse gibt es keine Seite.',
  address_title: 'Bitte nutzen Sie die Hauptadresse',
  address_text:
    'Unter dieser Adresse kann sich hier niemand ausweisen. Bitte beginnen Sie unter der Hauptadresse.',
  link_title: 'Dieser Link ist ungültig',
  link_text: 'Der Link, der Sie hierher geführt hat, führt nicht zu einer Seite von {name} zurück.',
  unknown_title: 'Ihre Identität wurde nicht bestätigt',
  unknown_text: 'Unterwegs ist etwas schiefgegangen. Bitte beginnen Sie neu.',

  elsewhere_title: 'Bitte beginnen Sie neu, in dem Browser, in dem Sie angefangen haben',
  elsewhere_text:
    'Ein Vorgang lässt sich nur in dem Browser abschließen, in dem er begonnen hat, nur einmal und nur wenige Minuten lang.',
  elsewhere_now:
    'An diesen Browser wurde nichts weitergegeben. Haben Sie hier angefangen, dann beginnen Sie neu. Sonst gehen Sie dorthin zurück, wo Sie angefangen haben.',
  elsewhere_button: 'Hier neu beginnen',
  elsewhere_warning:
    'Hat Ihnen jemand diesen Link geschickt? Dann schließen Sie diese Seite: Niemand braucht es, dass Sie ihn öffnen.',
  unfinished_title: 'Fast geschafft',
  unfinished_text:
    'Ihre Ausweis-App hat geantwortet, aber {name} konnte den Vorgang gerade nicht abschließen. Es ist nichts verloren: Bitte versuchen Sie es noch einmal.',
  hop_title: 'Einen Augenblick',
  hop_text: 'Sie kommen gleich zurück zu {name}.',
  wallet_text: 'Sie kommen gleich zu Ihrer Ausweis-App.',
};
