import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
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
  type Reflection,
  ReflectionKind,
  normalizePath,
} from 'typedoc';
import { contents, read, root } from '../contents.js';

/** What the API reference is made of. */
export interface Sources {
  /** The name of each entry, and its file. */
  readonly entries: Readonly<Record<string, string>>;
  readonly tsconfig: string;
}

const lib: Sources = {
  entries: {
    pidgate: 'lib/index.ts',
    'pidgate/sd-jwt': 'lib/verify/sd-jwt/verify.ts',
    'pidgate/redis': 'lib/stores/redis.ts',
    'pidgate/postgres': 'lib/stores/postgres.ts',
    'pidgate/sandbox': 'lib/dev/sandbox/index.ts',
    'pidgate/testing': 'lib/dev/testing/index.ts',
  },
  tsconfig: 'tsconfig.build.json',
};

const reference = 'API reference';

/** Where each document is on the site. */
const places = new WeakMap<Reflection, string>();

/**
 * Builds the website into a folder: the documents under their own paths, and the API reference. Returns false, with the
 * reasons in the log, if an exported name has no comment or a link in a comment leads nowhere.
 */
export async function buildSite(out: string, { entries, tsconfig }: Sources = lib): Promise<boolean> {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const app = await Application.bootstrap({
    name: `pidgate ${version}`,
    entryPoints: Object.values(entries).map((file) => resolve(root, file)),
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
    navigation: { includeGroups: true, includeFolders: false },
    groupOrder: [...contents().map(({ name }) => name), reference, '*'],
    sort: ['documents-first', 'kind', 'alphabetical-ignoring-documents'],
    searchInDocuments: true,
    customCss: join(import.meta.dirname, 'style.css'),
    hideGenerator: true,
    logLevel: LogLevel.Warn,
  });
  app.renderer.defineRouter('site', SiteRouter);
  app.converter.on(Converter.EVENT_BEGIN, ({ project }: Context) => {
    addDocuments(app, project);
  });
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, declared) => {
    nameModule(declared, entries);
  });

  const project = await app.convert();
  if (project === undefined) return false;
  app.validate(project);
  await app.generateOutputs(project);
  copySources(out);
  return !app.logger.hasErrors() && !app.logger.hasWarnings();
}

/** An entry is called what an app imports. */
function nameModule(declared: DeclarationReflection, entries: Sources['entries']): void {
  if (!declared.kindOf(ReflectionKind.Module)) return;
  const ofFile = (file: string): boolean => file.replace(/(\/index)?\.ts$/, '') === declared.name;
  const [name] = Object.entries(entries).find(([, file]) => ofFile(file)) ?? [];
  if (name !== undefined) declared.name = name;
  declared.comment ??= new Comment();
  declared.comment.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: reference }]));
}

function addDocuments(app: Application, project: ProjectReflection): void {
  for (const { name: section, pages } of contents()) {
    for (const { title, path } of pages) {
      if (path === 'README.md') continue; // the first page
      const document = addDocument(app, project, title, path);
      document.frontmatter['group'] = section;
      if (path !== 'docs/errors.md') continue;
      for (const file of readdirSync(join(root, 'docs/errors')).toSorted()) {
        addDocument(app, document, basename(file, '.md'), `docs/errors/${file}`);
      }
    }
  }
}

function addDocument(
  app: Application,
  parent: ProjectReflection | DocumentReflection,
  title: string,
  path: string,
): DocumentReflection {
  const source = normalizePath(join(root, path));
  const file = new MinimalSourceFile(read(path), source);
  const { content, frontmatter } = app.converter.parseRawComment(file, parent.project.files);
  const document = new DocumentReflection(title, parent, content, frontmatter);
  parent.addChild(document);
  parent.project.registerReflection(document, undefined, source);
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
  const errors = readdirSync(join(root, 'docs/errors')).map((file) => `docs/errors/${file}`);
  const pages = contents().flatMap((section) => section.pages.map(({ path }) => path));
  for (const path of ['llms.txt', ...pages, ...errors]) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    copyFileSync(join(root, path), join(out, path));
  }
}
