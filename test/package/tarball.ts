import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const root = join(import.meta.dirname, '../..');

interface Manifest {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly typesVersions: { readonly '*': Readonly<Record<string, readonly string[]>> };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** What npm says of a file that it packed. */
interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** The packed package, and how a customer's folder with it is made. */
export interface Tarball {
  readonly path: string;
  readonly files: readonly string[];
  readonly bytes: { readonly packed: number; readonly unpacked: number };
  readonly manifest: Manifest;
  /** A new folder with the package installed, and what its manifest asks for, and nothing else. */
  install(replace?: Readonly<Record<string, string | undefined>>): Promise<Customer>;
  /** The same as npm would have made it: with copies of all that it needs, and a manifest of its own. */
  copy(): Promise<{ readonly folder: string }>;
  remove(): Promise<void>;
}

export interface Customer {
  readonly folder: string;
  write(path: string, text: string): Promise<void>;
  /** Runs a file with this Node and answers what it prints. */
  node(...args: string[]): Promise<string>;
}

/**
 * Packs what `npm run build` has made. Installing is unpacking, and a link for each dependency that the manifest
 * names: as strict as npm about what is named, and it needs no registry.
 */
export async function pack(): Promise<Tarball> {
  const home = await mkdtemp(join(tmpdir(), 'pidgate-pack-'));
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', home];
  const { stdout } = await run('npm', args, { cwd: root });
  const [packed] = JSON.parse(stdout) as Packed[];
  if (packed === undefined) throw new Error('npm pack made nothing');
  await run('tar', ['-xzf', join(home, packed.filename), '-C', home]);
  const manifest = JSON.parse(await readFile(join(home, 'package/package.json'), 'utf8')) as Manifest;
  let customers = 0;

  return {
    path: join(home, packed.filename),
    files: packed.files.map(({ path }) => path).toSorted(),
    bytes: { packed: packed.size, unpacked: packed.unpackedSize },
    manifest,
    async install(replace = {}) {
      customers += 1;
      const folder = join(home, `customer-${customers}`);
      const modules = join(folder, 'node_modules');
      await mkdir(modules, { recursive: true });
      await run('cp', ['-r', join(home, 'package'), join(modules, 'pidgate')]);
      const wanted = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      for (const name of [...wanted, '@types/node', ...Object.keys(replace)]) {
        const source = Object.hasOwn(replace, name) ? replace[name] : name;
        if (source === undefined) continue;
        await mkdir(dirname(join(modules, name)), { recursive: true });
        await symlink(join(root, 'node_modules', source), join(modules, name)).catch(() => undefined);
      }
      for (const [name, path] of Object.entries(manifest.bin)) {
        const target = join(modules, 'pidgate', path);
        await chmod(target, 0o755);
        await mkdir(join(modules, '.bin'), { recursive: true });
        await symlink(target, join(modules, '.bin', name));
      }
      return {
        folder,
        async write(path, text) {
          await mkdir(dirname(join(folder, path)), { recursive: true });
          await writeFile(join(folder, path), text);
        },
        async node(...nodeArgs) {
          const env = { PATH: process.env['PATH'] ?? '' };
          const { stdout: printed, stderr } = await run(process.execPath, nodeArgs, { cwd: folder, env });
          if (stderr !== '') throw new Error(stderr);
          return printed;
        },
      };
    },
    async copy() {
      const folder = join(home, 'copy');
      const modules = join(folder, 'node_modules');
      const own = { name: 'app', version: '1.0.0', dependencies: { pidgate: manifest.version } };
      await mkdir(modules, { recursive: true });
      await writeFile(join(folder, 'package.json'), JSON.stringify(own));
      await run('cp', ['-r', join(home, 'package'), join(modules, 'pidgate')]);
      const needed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }));
      // A set that grows while it is walked is walked to its end.
      for (const name of needed) {
        const source = join(root, 'node_modules', name);
        const { dependencies = {} } = JSON.parse(
          await readFile(join(source, 'package.json'), 'utf8'),
        ) as Partial<Manifest>;
        for (const dependency of Object.keys(dependencies)) needed.add(dependency);
        await mkdir(dirname(join(modules, name)), { recursive: true });
        await run('cp', ['-r', source, join(modules, name)]);
      }
      return { folder };
    },
    async remove() {
      await rm(home, { recursive: true });
    },
  };
}
