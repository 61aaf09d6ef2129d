import type { Decision } from '../wallet/decision.js';
import { type Html, html } from './html.js';
import { layout } from './layout.js';

/** The short pages. */
export const notices = {
  gone: () =>
    notice('This request is over', 'It is unknown, or older than ten minutes. Start again in the app.'),
  nothingHere: () =>
    notice('Nothing here', 'A verification starts in the app and leads to a page of the sandbox.'),
  foreignForm: () =>
    notice('Not from this page', 'A decision counts only when it comes from the wallet page itself.'),
  noDecision: () =>
    notice('No decision', 'The form holds no decision that the sandbox knows. Go back and choose again.'),
  internal: () =>
    notice('The sandbox failed', 'Something went wrong inside the sandbox. Start again in the app.'),
  decidedOtherwise: () =>
    notice(
      'Already decided',
      'This request was answered before, and only one answer is sent. Start again in the app.',
    ),
  over: (decision: Decision) =>
    layout({
      title: 'This request is over',
      body: html`<h1>This request is over</h1>
        <p>${done(decision)} The app has the answer.</p>
        ${again(decision, 'Continue to the app')}`,
    }),
  sending: (decision: Decision) =>
    layout({
      title: 'On its way',
      body: html`<h1>On its way</h1>
        <p>${done(decision)} The answer is being sent to the app.</p>
        ${again(decision, 'Continue')}`,
    }),
};

/** The same decision once more: joins, repeats or redirects, whichever fits. */
export function again(decision: Decision, label: string): Html {
  return html`<form method="post" class="actions">
    ${decision.kind === 'error' ? html`<input type="hidden" name="error" value="${decision.code}" />` : undefined}
    <button class="main" name="decision" value="${decision.kind}">${label}</button>
  </form>`;
}

function notice(title: string, text: string): Html {
  return layout({
    title,
    body: html`<h1>${title}</h1>
      <p>${text}</p>`,
  });
}

function done(decision: Decision): string {
  if (decision.kind === 'approve') return 'You shared your identity.';
  return decision.kind === 'decline' ? 'You declined.' : `The error ${decision.code} was reported.`;
}
