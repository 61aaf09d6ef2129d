import { Comment, type DeclarationReflection, ReflectionKind } from 'typedoc';
import { keywords } from './keywords.js';
import type { Section } from './rank.js';

/** Documents of the project itself come last: whoever builds an app with pidgate seldom asks for them. */
const weights: Readonly<Record<string, number>> = {
  'CHANGELOG.md': 0.3,
  'CONTRIBUTING.md': 0.4,
  'docs/architecture.md': 0.4,
  'docs/cryptography.md': 0.6,
  'docs/decisions.md': 0.4,
  'docs/glossary.md': 0.7,
  'docs/recipes.md': 0.3,
  'docs/simulator.md': 0.3,
  'test/faults/INDEX.md': 0.2,
};
const referenceWeight = 0.6;

/** Cuts a page that was made of a document into its sections. `path` is the document's. */
export function sectionsIn(html: string, page: { path: string; title: string; url: string }): Section[] {
  const [, body = ''] = /<div class="tsd-panel tsd-typography">([^]*?)<nav class="turns"/.exec(html) ?? [];
  const parts = body.split(/(?=<h[1-4] id=")/).map((part) => {
    const [whole = '', anchor = '', heading = ''] =
      /^<h[1-4] id="([^"]*)"[^>]*>([^]*?)<.h[1-4]>/.exec(part) ?? [];
    return { anchor, heading: textOf(heading), text: textOf(part.slice(whole.length)) };
  });
  const weight = weights[page.path] ?? 1;
  const told = keywords[page.path] ?? {};
  for (const anchor of Object.keys(told)) {
    if (anchor !== '' && !parts.some((part) => part.anchor === anchor))
      throw new Error(`tools/site/search/keywords.ts: ${page.path} has no section #${anchor}.`);
  }
  return parts.flatMap(({ anchor, heading, text }, index) => {
    if (heading === '' && text === '') return [];
    const isFirst = index === 0;
    const more = told[isFirst ? '' : anchor];
    return {
      url: isFirst ? page.url : `${page.url}#${anchor}`,
      page: page.title,
      heading: isFirst ? page.title : heading,
      text: isFirst && text === '' ? (parts[1]?.text ?? '') : text,
      ...(more !== undefined && { keywords: more }),
      ...(weight !== 1 && { weight }),
    };
  });
}

/** An export, with the names of its members. */
export function sectionOfExport(declared: DeclarationReflection, url: string, page: string): Section {
  const comments = [declared, ...(declared.signatures ?? [])].map(({ comment }) => comment);
  const members = declared.kindOf(ReflectionKind.SomeModule) ? [] : (declared.children ?? []);
  const text = [
    ...comments.map((comment) => Comment.combineDisplayParts(comment?.summary)),
    ...members.map((member) => member.name),
  ];
  return {
    url,
    page,
    heading: declared.name,
    text: plain(text.join(' ')),
    weight: referenceWeight,
  };
}

function textOf(html: string): string {
  const shown = html
    .replace(/<svg[^]*?<.svg>|<button[^]*?<.button>/g, '')
    .replace(/<br\/?>|<\/?(?:p|li|ul|ol|h\d|td|th|tr|pre|blockquote|details|summary)\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '');
  return plain(
    shown
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&nbsp;', ' ')
      .replaceAll('&amp;', '&'),
  );
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
