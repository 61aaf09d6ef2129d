import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeAfter } from '../support/close-after.js';
import { moveUnreleased, nextVersion, release, requireOwner } from '../../tools/release/release.js';

const run = promisify(execFile);

/** A registry with one package, `latch`, in a process of its own: a release is made without giving way to ours. */
async function startRegistry() {
  const home = mkdtempSync(join(tmpdir(), 'pidgate-registry-'));
  const server = `
    const { readFileSync, readdirSync } = require('node:fs');
    const { createHash } = require('node:crypto');
    const server = require('node:http').createServer((req, res) => {
      const origin = 'http://127.0.0.1:' + server.address().port;
      if (req.url.endsWith('.tgz')) return res.end(readFileSync('.' + req.url));
      const files = readdirSync('.').filter((name) => name.endsWith('.tgz'));
      const versions = Object.fromEntries(files.map((name) => {
        const version = name.slice('latch-'.length, -'.tgz'.length);
        const integrity = 'sha512-' + createHash('sha512').update(readFileSync(name)).digest('base64');
        return [version, { name: 'latch', version, dist: { integrity, tarball: origin + '/' + name } }];
      }));
      res.end(JSON.stringify({ name: 'latch', versions, 'dist-tags': { latest: Object.keys(versions).sort().at(-1) } }));
    });
    server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`;
  const child = spawn(process.execPath, ['--eval', server], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    folder: home,
    url: url.toString().trim(),
    async publish(version: string) {
      const from = mkdtempSync(join(home, 'latch-'));
      writeFileSync(join(from, 'package.json'), JSON.stringify({ name: 'latch', version }));
      await run('npm', ['pack', '--pack-destination', home], { cwd: from });
    },
    stop: async (): Promise<void> => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      rmSync(home, { recursive: true });
    },
  };
}

describe('the next version', () => {
  it.each([
    ['patch', '1.9.10'],
    ['minor', '1.10.0'],
    ['1.9.10', '1.9.10'],
    ['1.10.0', '1.10.0'],
    ['2.0.0', '2.0.0'],
  ])('after 1.9.9, %s is %s', (wanted, version) => {
    expect(nextVersion('1.9.9', wanted)).toBe(version);
  });

  it.each(['1.9.9', '1.9.8', '1.8.10', '0.10.10'])('is not %s, which is not above 1.9.9', (wanted) => {
    expect(() => nextVersion('1.9.9', wanted)).toThrow(`${wanted} is not above the current version, 1.9.9.`);
  });

  it.each(['', 'major', '1.9', 'v2.0.0', '02.0.0', '2.0.0-beta'])('is not %j', (wanted) => {
    expect(() => nextVersion('1.9.9', wanted)).toThrow(`"${wanted}" is none of patch, minor and X.Y.Z.`);
  });
});

describe('the changelog', () => {
  it('must say something under Unreleased', () => {
    const nothing = 'CHANGELOG.md says nothing under "## Unreleased".';
    expect(() => moveUnreleased('# C\n\n## Unreleased\n\n## 0.1.0\n\nA.\n', '0.1.1', 'today')).toThrow(
      nothing,
    );
    expect(() => moveUnreleased('# C\n\n## 0.1.0\n\nA.\n', '0.1.1', 'today')).toThrow('no "## Unreleased"');
  });
});

describe('the owner', () => {
  const at = 'https://git.example/gate';

  it.each([
    [{}, 'repository and bugs'],
    [{ bugs: at }, 'repository'],
    [{ repository: at, bugs: { url: 'https://fill-in-before-publishing.invalid/issues' } }, 'bugs'],
  ])('must have filled in the addresses: %j', (manifest, fields) => {
    expect(() => {
      requireOwner(JSON.stringify(manifest));
    }).toThrow(`Fill in ${fields} in package.json: `);
  });
});

describe('a release, in a repository of its own', () => {
  let folder: string;
  const write = (path: string, text: string): void => {
    writeFileSync(join(folder, path), text);
  };
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  const package_ = (scripts = {}): string =>
    `${JSON.stringify({ name: 'gate', version: '0.1.0', ...owner, scripts, files: ['a.txt'] }, undefined, 2)}\n`;
  const owner = { repository: 'https://git.example/gate.git', bugs: 'https://git.example/gate/issues' };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pidgate-release-'));
    mkdirSync(join(folder, 'docs'));
    write('package.json', package_());
    write('.gitignore', '*.tgz\nnode_modules\npackage-lock.json\n');
    write('a.txt', 'A.\n');
    write('README.md', 'Install gate-0.1.0.tgz.\n');
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- It opens.\n\n## 0.1.0\n\nThe first.\n');
    git('init', '--quiet');
    git('config', 'user.name', 'Erika Mustermann');
    git('config', 'user.email', 'erika@shop.example');
    git('add', '.');
    git('commit', '--quiet', '--message', 'The first');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('moves the changes, writes the version, commits, tags and packs', () => {
    expect(release(folder, 'minor', '2026-11-21')).toEqual({ version: '0.2.0', tarball: 'gate-0.2.0.tgz' });
    expect(read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0, 2026-11-21\n\n- It opens.\n\n## 0.1.0\n\nThe first.\n',
    );
    expect(read('package.json')).toBe(package_().replace('0.1.0', '0.2.0'));
    expect(read('README.md')).toBe('Install gate-0.2.0.tgz.\n');
    expect(git('log', '--format=%s')).toBe('gate 0.2.0\nThe first');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('tag', '--list', '--format=%(contents)')).toBe('gate 0.2.0\n\n- It opens.');
    const packed = execFileSync('tar', ['-xzOf', 'gate-0.2.0.tgz', 'package/package.json'], { cwd: folder });
    expect(JSON.parse(packed.toString())).toMatchObject({ version: '0.2.0' });
  });

  it('F112 pins the version of every package, whatever comes out later', async () => {
    const registry = await startRegistry();
    closeAfter(registry.stop);
    await registry.publish('1.0.0');
    const manifest = JSON.parse(package_()) as object;
    write('package.json', JSON.stringify({ ...manifest, dependencies: { latch: '^1.0.0' } }));
    // As in this repository: an install makes no lockfile of its own.
    write(
      '.npmrc',
      `package-lock=false\nregistry=${registry.url}\ncache=${join(registry.folder, 'cache')}\n`,
    );
    git('add', '.');
    git('commit', '--quiet', '--message', 'A dependency');
    release(folder, 'minor', '2026-11-21');
    expect(git('show', '--stat', '--format=', 'v0.2.0')).toContain('package-lock.json');
    expect(read('package-lock.json')).toContain('"integrity": "sha512-');
    expect(read('package-lock.json')).not.toContain(registry.url);

    await registry.publish('1.0.1');
    const clone = join(registry.folder, 'clone');
    git('clone', '--quiet', '--branch', 'v0.2.0', folder, clone);
    const installed = async (command: string): Promise<unknown> => {
      await run('npm', [command, '--prefer-online'], { cwd: clone });
      return JSON.parse(readFileSync(join(clone, 'node_modules/latch/package.json'), 'utf8'));
    };
    expect(await installed('ci')).toMatchObject({ version: '1.0.0' });
    expect(await installed('update')).toMatchObject({ version: '1.0.1' });
  });

  const before = (): unknown => [
    git('log', '--format=%H'),
    git('tag'),
    git('status', '--porcelain'),
    read('package.json'),
  ];

  it('needs a clean tree', () => {
    write('a.txt', 'B.\n');
    const old = before();
    expect(() => release(folder, 'patch', '2026-11-21')).toThrow('There are changes that are not committed.');
    expect(before()).toEqual(old);
  });

  it('refuses a package whose owner has not said where it is', () => {
    write('package.json', package_().replaceAll('git.example', 'git.invalid'));
    git('commit', '--quiet', '--all', '--message', 'Nowhere');
    const old = before();
    expect(() => release(folder, 'patch', '2026-11-21')).toThrow('Fill in repository and bugs');
    expect(before()).toEqual(old);
  });

  it('refuses a tag that exists', () => {
    git('tag', 'v0.1.1');
    const old = before();
    expect(() => release(folder, 'patch', '2026-11-21')).toThrow('The tag v0.1.1 exists.');
    expect(before()).toEqual(old);
  });

  it('leaves everything as it was if the package cannot be built', () => {
    write('package.json', package_({ prepack: 'exit 3' }));
    git('commit', '--quiet', '--all', '--message', 'Broken');
    const old = before();
    expect(() => release(folder, 'patch', '2026-11-21')).toThrow('npm pack');
    expect(before()).toEqual(old);
    expect(read('CHANGELOG.md')).toContain('## Unreleased\n\n- It opens.');
  });

  it('leaves everything as it was if git refuses the commit', () => {
    writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const old = before();
    expect(() => release(folder, 'patch', '2026-11-21')).toThrow('git commit');
    expect(before()).toEqual(old);
  });
});
