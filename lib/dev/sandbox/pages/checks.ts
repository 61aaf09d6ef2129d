import type { CheckLine } from '../../inspect/report.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { checks } from '../../../verify/checks.js';
import { reachesChecks } from '../scenarios/playable.js';
import type { TimelineFlow } from '../timeline/timeline.js';

const unknownIssuer = 'By your own trust entry alone: the sandbox has none for this issuer.';

/** The outcome of the checks in a sentence, for the summary of a verification. */
export function checkSummary({ judged, told, shared, scenario }: TimelineFlow): Html | string {
  if (judged === undefined) {
    if (shared === undefined) return 'Nothing yet.';
    if (shared.length === 0) return 'Nothing: there was no proof.';
    return reachesChecks(scenario) ? unknownIssuer : 'Nothing: the app did not get as far as the proof.';
  }
  const { failed } = judged;
  const count = judged.checks.filter(({ state }) => state === 'passed').length;
  const other = told.refusal?.check;
  const why = `${failed === undefined ? '' : `${failed}: `}${judged.reason}`;
  const own = judged.reason === undefined ? `${count} checks passed.` : why;
  const app = other === undefined || other === failed ? '' : ` Your app reports ${other}.`;
  return sandboxHtml`${own}${app} <a href="#checks">Every check</a>`;
}

/** Every check of what was sent, as `pidgate inspect` lists them; where the app reports another one, both. */
export function checkSection({ judged, told, state }: TimelineFlow): Html | undefined {
  if (judged === undefined) return undefined;
  const { checks: lines, failed, reason } = judged;
  const inState = (wanted: CheckLine['state']) => lines.filter((line) => line.state === wanted);
  const [passed, unmet] = [inState('passed'), inState('not reached')];
  const verdict =
    reason === undefined
      ? `All ${passed.length} checks that this presentation calls for passed.`
      : failed === undefined
        ? reason
        : `${reason} ${passed.length} checks passed before.`;
  return sandboxHtml`<h2 id="checks">What pidgate checked</h2>
    <p>${verdict}</p>
    ${failed !== undefined && list(inState('failed'))} ${reportedByApp(told.refusal?.check, failed, state === 'refused')}
    ${folded('passed', `${passed.length} passed`, passed)}
    ${
      reason === undefined
        ? folded('unmet', `${unmet.length} are not needed here`, unmet, 'not needed')
        : folded('unmet', `${unmet.length} were not reached`, unmet)
    }
    <p class="soft">
      The sandbox checks what it has sent with pidgate's own verifier, by its own trust entry. docs/checks.md has the
      list.
    </p>`;
}

/** What an app found by its own trust entry may be something else. */
function reportedByApp(
  check: string | undefined,
  failed: string | undefined,
  isRefused: boolean,
): Html | undefined {
  if (check === undefined || !isRefused) return undefined;
  if (check === failed) return sandboxHtml`<p>Your app reports the same check.</p>`;
  const here = failed === undefined ? 'none failed' : `${failed} failed`;
  return sandboxHtml`<div class="fault">
    <p>Your app reports ${check}: ${inCode(sentenceOf(check))}</p>
    <p>By the sandbox's own trust entry ${here}. Compare yours with it: is it for the same issuer, type and audience?</p>
  </div>`;
}

function sentenceOf(check: string): string {
  const entry = new Map<string, string | { readonly sentence: string }>(Object.entries(checks)).get(check);
  return typeof entry === 'string' ? entry : (entry?.sentence ?? '');
}

/** What Markdown marks as code. */
const inCode = (sentence: string): (Html | string)[] =>
  sentence
    .split('`')
    .map((part, at) => (at % 2 === 0 ? part : sandboxHtml`<code translate="no">${part}</code>`));

function folded(id: string, summary: string, lines: readonly CheckLine[], unmet?: string): Html | undefined {
  if (lines.length === 0) return undefined;
  return sandboxHtml`<details id="checks-${id}" class="inline">
    <summary>${summary}</summary>
    ${list(lines, unmet)}
  </details>`;
}

const looks = {
  passed: 'good',
  failed: 'bad',
  'not reached': 'neutral',
} as const;

function list(lines: readonly CheckLine[], unmet = 'not reached'): Html {
  return sandboxHtml`<ul class="checks">
    ${lines.map(({ check, state, sentence }) => {
      const word = state === 'not reached' ? unmet : state;
      return sandboxHtml`<li>
        <span class="badge ${looks[state]}">${word}</span> <strong translate="no">${check}</strong>
        <span>${inCode(sentence)}</span>
      </li>`;
    })}
  </ul>`;
}
