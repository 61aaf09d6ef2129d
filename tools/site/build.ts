import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import {
  Application,
  Comment,
  CommentTag,
  type Context,
  Converter,
  type DeclarationReflection,
  DocumentReflection,
  KindRouter,
  LogLevel,
  MinimalSourceFile,
  type ProjectReflection,
  Reflection,
  ReflectionKind,
  PageEvent,
  normalizePath,
} from 'typedoc';
import { contents, read, root } from '../contents.js';
import { entries } from '../entries.mjs';
import { withLanding } from './landing.js';
import { from, menu, overview, sectionsOf, turns } from './navigation.js';
import type { Section } from './search/rank.js';
import { sectionOfExport, sectionsIn } from './search/sections.js';

/** What the API reference is made of. */
export interface Sources {
  /** The name of each entry, and its file. */
  readonly entries: Readonly<Record<string, string>>;
  readonly tsconfig: string;
}

/** The part of the Markdown parser that makes links of addresses in texts. */
interface Linking {
  readonly linkify: { set(options: { fuzzyLink: boolean }): unknown };
}

const lib: Sources = {
  entries: Object.fromEntries(entries.map(({ specifier, file }) => [specifier, `lib/${file}.ts`])),
  tsconfig: 'tsconfig.build.json',
};

const reference = 'API reference';

/** The list of all documents is a page too: where a link or a search leads without a script. */
const list = 'docs/README.md';

/** Where each document is on the site. */
const places = new WeakMap<Reflection, string>();
const paths = new WeakMap<Reflection, string>();

/**
 * Builds the website into a folder: the documents under their own paths, and the API reference. Returns false, with the
 * reasons in the log, if an exported name has no comment or a link in a comment leads nowhere.
 */
export async function buildSite(
  out: string,
  { entries: sources, tsconfig }: Sources = lib,
): Promise<boolean> {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const app = await Application.bootstrap({
    name: `pidgate ${version}`,
    entryPoints: Object.values(sources).map((file) => resolve(root, file)),
    basePath: root,
    tsconfig: resolve(root, tsconfig),
    readme: join(root, 'README.md'),
    out,
    // Every export needs a comment. Members may speak for themselves.
    requiredToBeDocumented: ['Class', 'Enum', 'Function', 'Interface', 'TypeAlias', 'Variable'],
    validation: { notExported: false, invalidLink: true, invalidPath: false, notDocumented: true },
    treatWarningsAsErrors: true,
    skipErrorChecking: true, // `npm run typecheck` does that
    disableSources: true,
    excludeExternals: true,
    router: 'site',
    headings: { readme: false, document: false },
    sort: ['documents-first', 'kind', 'alphabetical-ignoring-documents'],
    visibilityFilters: {},
    includeHierarchySummary: false,
    // A file's name is no address: .md is a country too.
    markdownItLoader: (parser: Linking) => void parser.linkify.set({ fuzzyLink: false }),
    customCss: join(import.meta.dirname, 'style.css'),
    hideGenerator: true,
    logLevel: LogLevel.Warn,
  });
  app.renderer.defineRouter('site', SiteRouter);
  const found: Section[] = [];
  app.renderer.on(PageEvent.END, (page: PageEvent) => {
    if (page.contents === undefined) return;
    const sections = sectionsOf({ name: reference, pages: modulesOf(app, page.project) });
    page.contents = completed(page.url, page.contents, sections);
    found.push(...searched(page, page.contents));
  });
  app.converter.on(Converter.EVENT_BEGIN, ({ project }: Context) => {
    addDocuments(app, project);
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, declared) => {
    nameModule(declared, sources);
  });

  const project = await app.convert();
  if (project === undefined) return false;
  app.validate(project);
  await app.generateOutputs(project);
  copySources(out);
  await writeScripts(out, found);
  return !app.logger.hasErrors() && !app.logger.hasWarnings();
}

/** The entries of the package, by what an app imports. */
function modulesOf(app: Application, project: ProjectReflection) {
  const modules = project.getChildrenByKind(ReflectionKind.Module);
  return modules.map((module) => ({
    title: module.name,
    url: app.renderer.router?.getFullUrl(module) ?? '',
  }));
}

/** What the search finds on a page. */
function searched({ model, url }: PageEvent, html: string): Section[] {
  if (!(model instanceof Reflection)) return [];
  if (model.isProject()) return sectionsIn(html, { path: 'README.md', title: overview, url });
  if (model.isDocument()) {
    const path = paths.get(model) ?? '';
    return path === list ? [] : sectionsIn(html, { path, title: model.name, url });
  }
  return model.isDeclaration() ? [sectionOfExport(model, url, reference)] : [];
}

/** The site's own script in place of the theme's, and what the search looks through: only who searches loads it. */
async function writeScripts(out: string, sections: readonly Section[]): Promise<void> {
  for (const unused of ['search.js', 'navigation.js', 'hierarchy.js'])
    rmSync(join(out, 'assets', unused), { force: true });
  writeFileSync(join(out, 'assets/sections.js'), `window.pidgateSections=${JSON.stringify(sections)}\n`);
  await build({
    entryPoints: [join(import.meta.dirname, 'browser/main.ts')],
    outfile: join(out, 'assets/main.js'),
    bundle: true,
    minify: true,
    logLevel: 'error',
  });
}

/**
 * What the theme leaves out: a page that shows before any script, a landmark, tables that the keyboard reaches, an icon,
 * the landing, and a menu and a search that are links without a script.
 */
function completed(url: string, html: string, sections: Parameters<typeof menu>[0]): string {
  const all = from(url, 'docs/index.html');
  const page = html
    .replace(/<script>document\.documentElement\.dataset\.theme[^]*?<.script>/, '')
    .replace(/<script async src="[^"]*" id="tsd-(?:nav|search|hierarchy)-script"><.script>/g, '')
    .replace(/<button id="tsd-search-trigger"[^]*?<.dialog>/, searchLink(all))
    .replace('<a href="#" class="tsd-widget menu"', `<a href="${all}" class="tsd-widget menu"`)
    .replace('<h3>On This Page</h3>', '<h2>On this page</h2>')
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="page-menu">', '<div class="page-menu" role="navigation" aria-label="On this page">')
    .replace(
      /<div class="tsd-navigation settings">[^]*?(?=<details open class="tsd-accordion tsd-page-navigation">)/,
      '',
    )
    .replace(/<div class="tsd-navigation settings">[^]*?<.details><.div>/, '')
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<table>', '<table tabindex="0">')
    .replaceAll(/<p><img src="([^"]*\.svg)" alt="([^"]*)"[^>]*><.p>/g, diagram)
    .replace(
      /<nav class="tsd-navigation">[^]*?<ul class="tsd-small-nested-navigation" id="tsd-nav-container">[^]*?<.ul>/,
      `<nav class="tsd-navigation" aria-label="Documents">${menu(sections, url)}`,
    )
    .replace(/<.div>\s*<div class="col-sidebar">/, `${turns(sections, url)}$&`)
    .replace('</head>', `<link rel="icon" href="data:image/svg+xml,${icon}"/></head>`);
  return url === 'index.html' ? withLanding(page) : page;
}

const searchLink = (all: string): string =>
  `<a href="${all}" id="search-open" class="search-open">Search <kbd aria-hidden="true">/</kbd></a>`;

/** A picture in its own size, which scrolls by itself where the page is narrower. */
const diagram = (_image: string, source: string, about: string): string =>
  `<figure class="diagram"><div tabindex="0" role="group" aria-label="Diagram"><img src="${source}" alt="${about}"/></div>
<figcaption><a href="${source}">Full size<span class="read-only"> of the diagram: ${about}</span></a></figcaption></figure>`;

const icon = encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b5a8a" d="M12 2l8 3v6c0 5-3.300 9-8 11-4.700-2-8-6-8-11V5z"/></svg>',
);

/** An entry is called what an app imports. */
function nameModule(declared: DeclarationReflection, sources: Sources['entries']): void {
  if (!declared.kindOf(ReflectionKind.Module)) return;
  const ofFile = (file: string): boolean => file.replace(/(\/index)?\.ts$/, '') === declared.name;
  const [name] = Object.entries(sources).find(([, file]) => ofFile(file)) ?? [];
  if (name !== undefined) declared.name = name;
  declared.comment ??= new Comment();
  declared.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: reference }]));
}

function addDocuments(app: Application, project: ProjectReflection): void {
  addDocument(app, project, 'All documents', list);
  for (const { name: section, pages } of contents()) {
    for (const { title, path } of pages) {
      if (path === 'README.md') continue; // the first page
      addDocument(app, project, title, path).frontmatter['group'] = section;
    }
  }
}

function addDocument(
  app: Application,
  project: ProjectReflection,
  title: string,
  path: string,
): DocumentReflection {
  const source = normalizePath(join(root, path));
  const file = new MinimalSourceFile(read(path), source);
  const { content, frontmatter } = app.converter.parseRawComment(file, project.files);
  const document = new DocumentReflection(title, project, content, frontmatter);
  project.addChild(document);
  project.registerReflection(document, undefined, source);
  paths.set(document, path);
  places.set(document, path.replace(/\.md$/, '').replace(/README$/, 'index'));
  return document;
}

/** A document has the path of its file, and the reference is in a folder of its own. */
class SiteRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    return places.get(reflection) ?? `api/${super.getIdealBaseName(reflection)}`;
  }
}

/** llms.txt, and the Markdown files that it links, under the same paths. */
function copySources(out: string): void {
  const pages = contents().flatMap((section) => section.pages.map(({ path }) => path));
  for (const path of ['llms.txt', ...pages]) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    copyFileSync(join(root, path), join(out, path));
  }
}
