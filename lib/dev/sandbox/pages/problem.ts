import type { Job } from '../service/jobs.js';
import type { ReplyProblem } from '../service/reply.js';
import { type Html, sandboxHtml } from './html.js';
import { layout } from './layout.js';
import { again } from './notices.js';
import { excerpt } from './excerpt.js';
import { explain } from './problem-texts.js';

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
          <dt>Callback sent to</dt>
          <dd><code>POST ${account.redirectUrl}</code></dd>
        </div>
        <div>
          <dt>Expected</dt>
          <dd><code>200</code>, <code>application/json</code>, <code>{"redirect_uri": "https://…"}</code></dd>
        </div>
      </dl>
      <h2>What to do</h2>
      <p>${fix}</p>
      ${
        command &&
        sandboxHtml`<p>${command.intro}</p>
          <pre>${command.line}</pre>`
      }
      ${
        said === ''
          ? undefined
          : sandboxHtml`<h2>The reply began with</h2>
              <pre>${said}</pre>`
      }
      ${answer && again('Send the callback again')}`,
  });
}
