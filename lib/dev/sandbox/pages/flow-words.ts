import { isAgeId, type PidAttributeId, yearsOf } from '../../../types/attributes.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { type FlowState, nameOf, stoppedBy, type TimelineFlow } from '../timeline/timeline.js';
import { inOneLine } from './asked.js';
import { englishTexts } from './texts/languages.js';

/** The sandbox runs where its developer is, so this is their time. */
export function formatTime(date: Date): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(date);
}

const looks: Readonly<Record<FlowState, string>> = {
  verified: 'good',
  declined: 'neutral',
  refused: 'bad',
  expired: 'neutral',
  waiting: 'neutral',
};

/** What happened, in a word. */
export function badge(state: FlowState): Html {
  return sandboxHtml`<span class="badge ${looks[state]}">${state}</span>`;
}

/** The names of attributes and derived answers, as people read them. */
export function written(names: readonly string[]): string {
  const { labels } = englishTexts;
  const label = (name: string): string =>
    isAgeId(name) ? `${yearsOf(name)} or over` : name in labels ? labels[name as PidAttributeId] : name;
  const all = names.map((name) =>
    name.endsWith('?') ? `${label(name.slice(0, -1))}: yes or no` : label(name),
  );
  return inOneLine(all, englishTexts);
}

/** The name of the question; of one without a name, what it asks for. */
export function titleOf(flow: TimelineFlow): string {
  return isNamed(flow) || flow.asked.length === 0 ? nameOf(flow) : written(flow.asked);
}

/** What was asked, and how it ended. */
export function headingOf(flow: TimelineFlow): string {
  const check = stoppedBy(flow);
  return `${titleOf(flow)}: ${flow.state}${check === undefined ? '' : ` by ${check}`}`;
}

export function isNamed(flow: TimelineFlow): boolean {
  return nameOf(flow) === flow.told.question;
}
