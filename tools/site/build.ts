import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  Application,
  Comment,
  CommentTag,
  type Context,
  Converter,
  type DeclarationReflection,
  DocumentReflection,
  IndexEvent,
  KindRouter,
  LogLevel,
  MinimalSourceFile,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  PageEvent,
  normalizePath,
} from 'typedoc';
import { contents, read, root } from '../contents.js';
import { entries } from '../entries.mjs';
import { withLanding } from './landing.js';
import { menu, sectionsOf, turns } from './navigation.js';
import { prepareSearch } from './search.js';

/** What the API reference is made of. */
export interface Sources {
  /** The name of each entry, and its file. */
  readonly entries: Readonly<Record<string, string>>;
  readonly tsconfig: string;
}

const lib: Sources = {
  entries: Object.fromEntries(entries.map(({ specifier, file }) => [specifier, `lib/${file}.ts`])),
  tsconfig: 'tsconfig.build.json',
};

const reference = 'API reference';

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
    searchInDocuments: true,
    customCss: join(import.meta.dirname, 'style.css'),
    hideGenerator: true,
    logLevel: LogLevel.Warn,
  });
  app.renderer.defineRouter('site', SiteRouter);
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event: IndexEvent) => {
    prepareSearch(event, (reflection) => paths.get(reflection));
  });
  app.renderer.on(PageEvent.END, (page: PageEvent) => {
    if (page.contents === undefined) return;
    const sections = sectionsOf({ name: reference, pages: modulesOf(app, page.project) });
    page.contents = completed(page.url, page.contents, sections);
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

/**
 * What the theme leaves out: a landmark, tables that the keyboard reaches, an icon, the landing, and a menu that is open
 * and needs no script.
 */
function completed(url: string, html: string, sections: Parameters<typeof menu>[0]): string {
  const page = html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace('<div class="page-menu">', '<div class="page-menu" role="navigation" aria-label="On this page">')
    .replace('<h3>Settings</h3>', '<h2>Settings</h2>')
    .replaceAll('<th></th>', '<td></td>')
    .replaceAll('<table>', '<table tabindex="0">')
    .replace(/<script async src="[^"]*" id="tsd-nav-script"><.script>/, '')
    .replace(/<ul class="tsd-small-nested-navigation" id="tsd-nav-container">[^]*?<.ul>/, menu(sections, url))
    .replace(/<.div>\s*<div class="col-sidebar">/, `${turns(sections, url)}$&`)
    .replace('</head>', `<link rel="icon" href="data:image/svg+xml,${icon}"/></head>`);
  return url === 'index.html' ? withLanding(page) : page;
}

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
  places.set(document, path.replace(/\.md$/, ''));
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
