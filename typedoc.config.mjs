import { OptionDefaults } from 'typedoc';
import { entries } from './tools/entries.mjs';

/**
 * `npm run site`: the documents, and a reference of what the package exports. An export without a comment and a link to
 * a file that is not there fail it; test/house/documents.test.ts checks the anchors.
 * @type {Partial<import('typedoc').TypeDocOptions>}
 */
export default {
  name: 'pidgate',
  includeVersion: true,
  entryPoints: entries.map(({ file }) => `lib/${file}.ts`),
  tsconfig: 'tsconfig.build.json',
  projectDocuments: ['docs/*.md', '{SECURITY,CHANGELOG,CONTRIBUTING}.md', 'test/faults/INDEX.md'],
  searchInDocuments: true,
  // A search of several words finds each of them in many short comments: the pages come first.
  searchGroupBoosts: { Documents: 10 },
  plugin: [findByHeadings],
  out: 'site',
  highlightLanguages: [...OptionDefaults.highlightLanguages, 'jsx'],
  // Every export needs a comment. Members may speak for themselves.
  requiredToBeDocumented: ['Class', 'Enum', 'Function', 'Interface', 'TypeAlias', 'Variable'],
  validation: { notExported: false, notDocumented: true },
  treatWarningsAsErrors: true,
  skipErrorChecking: true, // `npm run typecheck` does that
  disableSources: true,
  excludeExternals: true,
  // A file's name is no address: .md is a country too.
  markdownItLoader: (
    /** @type {{ linkify: { set(options: { fuzzyLink: boolean }): void } }} */ { linkify },
  ) => {
    linkify.set({ fuzzyLink: false });
  },
  logLevel: 'Warn',
};

/** A page is found by its headings first. Lists of pages, changes and tests are no answer. */
function findByHeadings(/** @type {import('typedoc').Application} */ { renderer }) {
  renderer.on('prepareIndex', (/** @type {import('typedoc').IndexEvent} */ event) => {
    event.searchFieldWeights['headings'] = 6;
    for (let at = event.searchResults.length - 1; at >= 0; at -= 1) {
      const result = event.searchResults[at];
      if (!result?.isDocument()) continue;
      if (/README|CHANGELOG|INDEX/.test(result.name)) event.removeResult(at);
      else {
        const text = result.content.map((part) => part.text).join('');
        event.searchFields[at] = { headings: (text.match(/^#+ .*/gm) ?? []).join(' ') };
      }
    }
  });
}
