import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { isChoosableId, type ScenarioId } from '../scenarios/catalogue.js';
import type { Job } from '../service/jobs.js';
import type { SandboxTexts } from './texts/languages.js';

/** The app's name, where it tells one in development; else its host. */
export function whoAsks({ account, app }: Job, say: SandboxTexts): string {
  if (account.redirectUrl === undefined) return say.anApp;
  return app.name ?? new URL(account.redirectUrl).host;
}

/** The host beside a name: anybody could have taken the name. */
export function hostOf({ account, app }: Job): string | undefined {
  const host = account.redirectUrl && new URL(account.redirectUrl).host;
  return app.name === undefined || app.name === host ? undefined : host;
}

/** The app's own sentence for its question. */
export function whyAsked({ app }: Job, say: SandboxTexts): Html | undefined {
  const why = app.purposes[say.lang] ?? app.purposes['*'];
  return why === undefined
    ? undefined
    : sandboxHtml`<h2>${say.whyAsked}</h2>
        <p>${why}</p>`;
}

/** What was chosen beforehand, so that nobody takes it for what always happens. */
export function plannedNote(scenario: ScenarioId, say: SandboxTexts): Html | undefined {
  if (scenario === 'approve' || !isChoosableId(scenario)) return undefined;
  return sandboxHtml`<p class="fault">${say.planned} ${say.scenarios[scenario]}</p>`;
}
