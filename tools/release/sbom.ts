import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A package of which the build put a part into a file of ours, as the banner of that file says. */
export interface Carried {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** In our package. */
  readonly file: string;
}

/** A row of CycloneDX, as far as npm and this file write it. */
interface Component {
  readonly 'bom-ref': string;
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
}

/** A list of components in CycloneDX. */
interface Sbom {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const banner = /^\/\* Contains a part of (?<name>\S+)@(?<version>\S+) \((?<licence>\S+)\)$/gm;

/** Reads in the banners of an installed or unpacked package which others it carries. */
export function carriedIn(folder: string): Carried[] {
  const files = readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((path) => /\.[cm]?js$/.test(path))
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(join(folder, 'dist', path), 'utf8');
      return [...text.matchAll(banner)].map(({ groups }) => {
        const { name = '', version = '', licence = '' } = groups ?? {};
        return { name, version, licence, file: `dist/${path}` };
      });
    });
}

/**
 * Lists the components of an app that has nothing but our package installed. npm knows what it has installed itself;
 * what is carried inside our files is added.
 */
export function sbomOf(app: string): Sbom {
  const args = ['sbom', '--sbom-format', 'cyclonedx'];
  const sbom = JSON.parse(execFileSync('npm', args, { cwd: app, encoding: 'utf8' })) as Sbom;
  const folder = join(app, 'node_modules/pidgate');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const rows = carriedIn(folder).map(rowOf);
  const refs = rows.map((row) => row['bom-ref']);
  return {
    ...sbom,
    components: [...sbom.components, ...rows],
    dependencies: [
      ...sbom.dependencies.map(({ ref, dependsOn }) =>
        ref === `pidgate@${version}` ? { ref, dependsOn: [...dependsOn, ...refs] } : { ref, dependsOn },
      ),
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

function rowOf({ name, version, licence, file }: Carried): Component {
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    properties: [
      { name: 'cdx:npm:package:bundled', value: 'true' },
      { name: 'cdx:npm:package:path', value: `node_modules/pidgate/${file}` },
    ],
    licenses: [{ license: { id: licence } }],
  };
}
