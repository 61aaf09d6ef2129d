import { posix } from 'node:path';
import { contents } from '../contents.js';

/** A page of the site, by its address from the site's root. */
interface Page {
  readonly title: string;
  readonly url: string;
}

interface Section {
  readonly name: string;
  readonly pages: readonly Page[];
}

/** What the README is called on the site, where it is the first page. */
export const overview = 'Overview';

/** The documents by section, and the entries of the package. */
export function sectionsOf(reference: Section): Section[] {
  const documents = contents().map(({ name, pages }) => ({
    name,
    pages: pages.map(({ title, path }) => ({
      title: path === 'README.md' ? overview : title,
      url: path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html'),
    })),
  }));
  return [...documents, reference];
}

/** Everything, open: it needs no script, and says where the reader is. */
export function menu(sections: readonly Section[], here: string): string {
  const shown = sections.map(({ name, pages }) => {
    const lines = pages.map((page) => {
      const current = page.url === here ? ' class="current" aria-current="page"' : '';
      return `<li><a href="${from(here, page.url)}"${current}>${page.title}</a></li>`;
    });
    return `<details open><summary>${name}</summary><ul>${lines.join('')}</ul></details>`;
  });
  return `<div class="page-list">${shown.join('')}</div>`;
}

/** The pages before and after this one; nothing on a page that the menu does not have. */
export function turns(sections: readonly Section[], here: string): string {
  const pages = sections.flatMap((section) => section.pages);
  const index = pages.findIndex(({ url }) => url === here);
  if (index === -1) return '';
  const link = (page: Page | undefined, rel: string, text: (title: string) => string): string =>
    page === undefined ? '' : `<a rel="${rel}" href="${from(here, page.url)}">${text(page.title)}</a>`;
  const previous = link(pages[index - 1], 'prev', (title) => `← ${title}`);
  const next = link(pages[index + 1], 'next', (title) => `${title} →`);
  return `<nav class="turns" aria-label="Previous and next">${previous}${next}</nav>`;
}

/** The address of a page, as a link on another has it. */
export const from = (here: string, url: string): string => posix.relative(posix.dirname(here), url);
