import { type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';

/** The short pages. */
export const notices = {
  gone: () =>
    notice('This request has expired', 'It is unknown, or older than ten minutes. Start again in the app.'),
  nothingHere: () =>
    notice('Nothing here', 'A verification starts in the app and leads to a page of the sandbox.'),
  otherSite: () =>
    notice(
      'Not from another site',
      'A page of another site may lead here, and nothing else. Nothing was done.',
    ),
  noDecision: () =>
    notice('No decision', 'The form holds no decision that the sandbox knows. Go back and choose again.'),
  unreadable: () =>
    notice('This cannot be read', 'The address or the form is not one that the sandbox has made. Go back.'),
  tooLarge: () => notice('Too much', 'The form is larger than any page of the sandbox sends.'),
  internal: () =>
    notice('The sandbox failed', 'Something went wrong inside the sandbox. Start again in the app.'),
  answeredOtherwise: () =>
    notice(
      'Already answered',
      'This request was answered before, and only one answer is sent. Start again in the app.',
    ),
  elsewhere: () =>
    notice(
      'Open in another browser',
      'Another browser has opened this page first, and only that one is taken back to the app. Go on there, or start again in the app.',
    ),
  answeredElsewhere: () =>
    notice(
      'This request is answered',
      'The app has the answer. Go on where your wallet has taken you. If it took you here, start again in the app.',
      'service',
    ),
  over: (id: ScenarioId | 'wallet_error') =>
    layout({
      title: 'This request is answered',
      role: 'service',
      body: sandboxHtml`<h1>This request is answered</h1>
        <p>${done(id)} The app has the answer.</p>
        ${again('Continue to the app')}`,
    }),
  sending: (id: ScenarioId | 'wallet_error', follow?: string) =>
    layout({
      title: 'On its way',
      role: 'service',
      follow,
      body: sandboxHtml`<h1>On its way</h1>
        <p>${done(id)} The answer is being sent to the app.</p>
        ${follow === undefined ? again('Continue') : undefined}`,
    }),
};

/** The same answer once more: joins, repeats or redirects, whichever fits. */
export function again(label: string): Html {
  return sandboxHtml`<form method="post" class="actions">
    <button class="main" name="decision" value="again">${label}</button>
  </form>`;
}

export function notice(title: string, text: string, role?: 'service' | 'wallet'): Html {
  return layout({
    title,
    ...(role !== undefined && { role }),
    body: sandboxHtml`<h1>${title}</h1>
      <p>${text}</p>`,
  });
}

function done(id: ScenarioId | 'wallet_error'): string {
  if (id === 'approve') return 'You shared your identity.';
  if (id === 'wallet_error') return 'The wallet reported an error.';
  return id === 'declined' ? 'You declined.' : `You chose “${scenarioOf(id).says}”`;
}
