import type { CheckLine } from '../../inspect/report.js';
import { codeLink } from './error-code.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { checks } from '../../../verify/checks.js';
import { reachesChecks } from '../scenarios/playable.js';
import { asFailed, checkFamilies, writtenOut } from '../../inspect/check-words.js';
import type { Judged, TimelineFlow } from '../timeline/timeline.js';

const unknownIssuer = 'By your own trust entry alone: the sandbox has none for this issuer.';

/** The outcome of the checks in a sentence, for the summary of a verification. */
export function checkSummary(flow: TimelineFlow): Html | string {
  const { judged, told, shared, scenario } = flow;
  if (judged === undefined) {
    if (shared === undefined && flow.elsewhere) return byAppAlone(told);
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

/** Another wallet has shown the app something, and the sandbox has not seen it. */
function byAppAlone({ refusal }: TimelineFlow['told']): Html | string {
  if (refusal === undefined) return 'By your app alone.';
  const { code, check } = refusal;
  const fault = check !== undefined && inCode(asFailed(check, writtenOut(sentenceOf(check))));
  return sandboxHtml`By your app alone, which reports ${codeLink(code)}. ${fault}`;
}

/** Every check of what was sent, as `pidgate inspect` lists them, and whether the app has found the same. */
export function checkSection({ judged, told }: TimelineFlow): Html | undefined {
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
  return sandboxHtml`<h2 id="checks">What pidgate checks, run again here by the sandbox</h2>
    <p>${verdict} ${failed === undefined && told.accepted === true && 'Your app accepted it too.'}</p>
    ${failed !== undefined && list(inState('failed'))} ${comparedWithApp(told, judged)}
    ${folded('passed', `${passed.length} passed`, passed)}
    ${
      reason === undefined
        ? folded(
            'unmet',
            `${unmet.length} are not needed here: another format or trust entry calls for them`,
            unmet,
            'not needed',
          )
        : folded('unmet', `${unmet.length} were not reached`, unmet)
    }`;
}

/** Under the headings of docs/checks.md, with the sources written out. */
function groupsOf(lines: readonly CheckLine[]): [string, readonly CheckLine[]][] {
  return Object.entries(checkFamilies).flatMap(([family, { title }]) => {
    const its = lines
      .filter(({ check }) => check.startsWith(family))
      .map((line) => ({ ...line, sentence: writtenOut(line.sentence) }))
      .toSorted((one, other) => one.check.localeCompare(other.check));
    return its.length === 0 ? [] : [[title, its]];
  });
}

/** What an app found by its own trust entry may be something else. */
function comparedWithApp(
  { refusal, accepted }: TimelineFlow['told'],
  { failed, reason }: Judged,
): Html | undefined {
  const compare = 'Compare yours with it: is it for the same issuer, type and audience?';
  if (refusal?.check === undefined) {
    if (accepted !== true || reason === undefined) return undefined;
    return sandboxHtml`<div class="fault">
      <p>Your app accepted it, and the sandbox does not${failed !== undefined && `: ${failed}`}.</p>
      <p>Your trust entry checks less than the sandbox's own. ${compare}</p>
    </div>`;
  }
  const { check } = refusal;
  if (check === failed)
    return sandboxHtml`<p>Your app reports the same check. <code translate="no">npx pidgate explain ${check}</code> says what to do.</p>`;
  const here = failed === undefined ? 'none failed' : `${failed} failed`;
  return sandboxHtml`<div class="fault">
    <p>Your app reports: ${inCode(asFailed(check, writtenOut(sentenceOf(check))))}</p>
    <p>By the sandbox's own trust entry ${here}. ${compare}</p>
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
    ${groupsOf(lines).map(([heading, its]) => sandboxHtml`<h3>${heading}</h3>${list(its, unmet)}`)}
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
        <span>${state === 'failed' ? sandboxHtml`must hold: ${inCode(writtenOut(sentence))} <strong>It did not.</strong>` : inCode(sentence)}</span>
      </li>`;
    })}
  </ul>`;
}
