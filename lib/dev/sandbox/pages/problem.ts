import { type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import type { Job } from '../service/jobs.js';
import { type ReplyProblem, explain } from '../service/reply.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout } from './layout.js';
import { again, backToApp } from './notices.js';
import { englishTexts } from './texts/languages.js';

/** Callbacks that a good app refuses with 400, and goes on waiting. */
const malformed: ReadonlySet<ScenarioId> = new Set(['both_fields', 'empty_body', 'malformed_state']);

/** Whether the app refused the callback because it was sent wrong on purpose. */
export function isAsItShouldBe({ scenario, answer }: Job): boolean {
  const { outcome } = answer ?? {};
  if (!malformed.has(scenario) || outcome?.ok !== false) return false;
  return outcome.problem.kind === 'status' && outcome.problem.status === 400;
}

export function refusedPage({ scenario }: Job): Html {
  return layout({
    title: 'As it should be',
    wide: true,
    body: sandboxHtml`<h1>As it should be</h1>
      <p>${scenarioOf(scenario).says} The app refused this callback with 400. The verification still waits.</p>
      <form method="post" class="actions">
        <button class="main" name="decision" value="right">Send the right one now</button>
      </form>`,
  });
}

/** What was wrong with the customer's reply, what was expected, and what to do. */
export function problemPage({ account, answer, request }: Job, problem: ReplyProblem): Html {
  const { title, happened, fix, command } = explain(problem);
  const said = 'text' in problem ? excerpt(problem.text, request.state) : '';
  return layout({
    title,
    wide: true,
    body: sandboxHtml`<h1>${title}</h1>
      <p>${happened}</p>
      <dl class="list">
        <div>
          <dt>Address of the callback</dt>
          <dd><code translate="no">POST ${account.redirectUrl}</code></dd>
        </div>
        <div>
          <dt>Expected</dt>
          <dd><code translate="no">200</code>, <code translate="no">application/json</code>, <code translate="no">{"redirect_uri": "https://…"}</code></dd>
        </div>
      </dl>
      <h2>What to do</h2>
      <p>${fix}</p>
      ${
        command &&
        sandboxHtml`<p>${command.intro}</p>
          <pre translate="no">${command.line}</pre>`
      }
      ${
        said === ''
          ? undefined
          : sandboxHtml`<h2>The reply began with</h2>
              <pre translate="no">${said}</pre>`
      }
      ${problem.kind === 'lost' ? backToApp({ account }, englishTexts) : answer && again('Send the callback again')}`,
  });
}

const length = 400;
const unseen = ['style', 'script', 'title'];

/**
 * The words of a reply, for its developer: without tags, and without what could be a secret or a presentation.
 *
 * @internal
 */
export function excerpt(reply: string, state: string): string {
  const words = withoutTags(reply.replaceAll(state, '[hidden]').replaceAll(/[\w~.%+/=-]{40,}/g, '[hidden]'))
    .replaceAll('&nbsp;', ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
  return words.length > length ? `${words.slice(0, length).trimEnd()} …` : words;
}

/** Looks at each character once: a stranger's reply must not decide how long this takes. */
function withoutTags(markup: string): string {
  const [first = '', ...pieces] = markup.split('<');
  let inside: string | undefined;
  const texts = pieces.map((piece) => {
    const name = /^\/?[a-z]{0,10}/i.exec(piece)?.[0].toLowerCase() ?? '';
    if (inside !== undefined && name !== `/${inside}`) return '';
    inside = unseen.includes(name) ? name : undefined;
    const end = piece.indexOf('>');
    if (end === -1) return `<${piece}`;
    return inside === undefined ? ` ${piece.slice(end + 1)}` : '';
  });
  return first + texts.join('');
}
