import { type Hit, type Piece, type Section, searchOver } from '../search/rank.js';

declare global {
  interface Window {
    /** What assets/sections.js has; it is loaded when the search is opened for the first time. */
    pidgateSections?: readonly Section[];
  }
}

const base = document.documentElement.dataset['base'] ?? './';

/** The link in the head of the page opens a dialog; without a script it leads to the list of all documents. */
export function searchDialog(): void {
  const opener = document.getElementById('search-open');
  if (opener === null) return;
  const { dialog, input, status, list } = drawn();
  document.body.append(dialog);
  let search: ((question: string) => Hit[]) | undefined;

  const show = (): void => {
    const question = input.value.trim();
    if (search === undefined) return;
    const hits = question === '' ? [] : search(question);
    status.textContent = told(question, hits.length);
    list.replaceChildren(
      ...(hits.length > 0 || question === '' ? hits.map(lineOf) : pages().map((page) => lineOf(page))),
    );
    list.classList.toggle('has-hits', hits.length > 0);
  };
  const open = (): void => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    if (search !== undefined) return;
    status.textContent = 'Loading the search …';
    loadSections(
      (sections) => {
        search = searchOver(sections);
        show();
      },
      () => {
        status.textContent = 'The search could not be loaded. Close it and open it again.';
      },
    );
  };

  opener.setAttribute('role', 'button');
  opener.setAttribute('aria-haspopup', 'dialog');
  opener.addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
    const asks = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey));
    if (!asks && !(event.key === ' ' && event.target === opener)) return;
    event.preventDefault();
    open();
  });
  input.addEventListener('input', show);
  dialog.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.findIndex((link) => link === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      (at + step < 0 ? input : links[Math.min(at + step, links.length - 1)])?.focus();
    } else if (event.key === 'Enter' && document.activeElement === input) {
      event.preventDefault();
      if (list.classList.contains('has-hits')) links[0]?.click();
    }
  });
  // A click beside the dialog, and one on a place of this very page, close it.
  dialog.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('a') !== null;
    if (event.target === dialog || isLink) dialog.close();
  });
}

function drawn() {
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.ariaLabel = 'Search';
  dialog.innerHTML = `<div class="search-box"><div class="search-line">
<input type="search" aria-label="Search the documents" aria-describedby="search-status" placeholder="Search the documents" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100"/>
<button type="button">Close</button></div>
<p id="search-status" role="status"></p><ol></ol></div>`;
  const part = <T extends Element>(selector: string): T => {
    const found = dialog.querySelector<T>(selector);
    if (found === null) throw new Error(`The search has no ${selector}.`);
    return found;
  };
  part('button').addEventListener('click', () => {
    dialog.close();
  });
  return {
    dialog,
    input: part<HTMLInputElement>('input'),
    status: part<HTMLElement>('[role=status]'),
    list: part<HTMLElement>('ol'),
  };
}

function loadSections(done: (sections: readonly Section[]) => void, failed: () => void): void {
  const script = document.createElement('script');
  script.src = `${base}assets/sections.js`;
  script.addEventListener('load', () => {
    done(window.pidgateSections ?? []);
  });
  script.addEventListener('error', failed);
  document.head.append(script);
}

function told(question: string, hits: number): string {
  if (question === '') return 'Type a word, a setting, an error code or an exported name.';
  if (hits === 0) return `Nothing here has “${question}”. Try another word for it, or one of these pages:`;
  return `${hits === 1 ? 'One place' : `${hits} places`}. Enter opens the first.`;
}

/** What to try after a miss: the pages for people who use pidgate. */
function pages(): Hit[] {
  const sections = window.pidgateSections ?? [];
  const begins = sections.filter(({ page, heading, weight }) => page === heading && weight === undefined);
  return begins.map((section) => ({
    section,
    heading: [{ text: section.heading, found: false }],
    excerpt: [],
  }));
}

function lineOf({ section, heading, excerpt }: Hit): HTMLLIElement {
  const line = document.createElement('li');
  const link = document.createElement('a');
  link.href = base + section.url;
  const title = document.createElement('span');
  title.className = 'search-title';
  if (section.page !== section.heading) title.append(`${section.page} › `);
  title.append(...marked(heading));
  link.append(title);
  if (excerpt.length > 0) {
    const text = document.createElement('span');
    text.className = 'search-text';
    text.append(...marked(excerpt));
    link.append(text);
  }
  line.append(link);
  return line;
}

function marked(shown: readonly Piece[]): (string | HTMLElement)[] {
  return shown.map(({ text, found }) => {
    if (!found) return text;
    const mark = document.createElement('mark');
    mark.textContent = text;
    return mark;
  });
}
