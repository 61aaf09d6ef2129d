import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/root.js';

const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));

interface Job {
  readonly name: string;
  readonly text: string;
  /** The commands that it runs, line by line. */
  readonly commands: readonly string[];
}

/** The jobs of a workflow, in the indentation that prettier gives it. */
function jobsOf(text: string): Job[] {
  const [, jobs = ''] = text.split(/^jobs:\n/m);
  return jobs
    .split(/^(?= {2}[\w-]+:$)/m)
    .filter((job) => /^ {2}\w/.test(job))
    .map((job) => ({
      name: /[\w-]+/.exec(job)?.[0] ?? '',
      text: job,
      commands: [...job.matchAll(/^ {6}- run: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)].flatMap(
        ([, lines, line]) =>
          (lines ?? line ?? '')
            .trim()
            .split('\n')
            .map((command) => command.replace(/ # .*/, '').trim()),
      ),
    }));
}

const hasToken = ({ text }: Job): boolean => /: write\b|\bsecrets\.|github\.token|: write-all/.test(text);
const pinnedNpm = /^npm install --global npm@\d+\.\d+\.\d+$/;

describe('F112 a release', () => {
  const { text = '' } = workflows.find(({ name }) => name === 'release.yml') ?? {};
  const jobs = jobsOf(text);
  const job = (wanted: string): Job => {
    const found = jobs.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`release.yml has no job ${wanted}`);
    return found;
  };

  it('is packed in a job without a token, from what the lockfile of the tag pins', () => {
    const { commands } = job('pack');
    expect(jobs.filter(hasToken).map(({ name }) => name)).toEqual(['publish']);
    expect(commands.slice(1, 4)).toEqual([
      expect.stringMatching(pinnedNpm),
      'npm ci --ignore-scripts --no-audit --no-fund',
      'npm pack',
    ]);
    // The app whose components are listed is installed after that, and runs nothing.
    const [, , , , ...after] = commands;
    expect(after.filter((command) => /npm (i|install|ci)\b(?!.* --ignore-scripts )/.test(command))).toEqual(
      [],
    );
  });

  it('is published by a job that has the token, and neither the repository nor a package of it', () => {
    const { commands, text: steps } = job('publish');
    expect(steps).toContain('    needs: pack\n');
    expect(steps).not.toContain('actions/checkout');
    expect(commands).toEqual([
      expect.stringMatching(pinnedNpm),
      'npm stage publish ./pidgate-*.tgz --provenance --access public',
      'gh release create "$GITHUB_REF_NAME" ./pidgate-*.tgz pidgate.cdx.json --verify-tag --notes-file notes.md',
    ]);
  });

  it('hands on each file that is published', () => {
    const [, handed = ''] = /path: \|\n((?: {12}.*\n)+)/.exec(job('pack').text) ?? [];
    const files = handed.trim().split(/\s+/);
    expect(files).toEqual(['pidgate-*.tgz', 'pidgate.cdx.json', 'notes.md']);
    const published = job('publish').commands.join(' ');
    expect(files.filter((file) => !published.includes(file))).toEqual([]);
  });

  it('is checked with the versions of its lockfile too', () => {
    const lines = readFileSync(join(root, '.ci/run'), 'utf8').split('\n');
    expect(lines.filter((line) => /npm (ci|install)/.test(line))).toEqual([
      'if [ "${GITHUB_REF_TYPE:-}" = tag ]; then npm ci --no-audit --no-fund; else npm install --no-audit --no-fund; fi',
    ]);
  });

  it('finds a token wherever a job has one', () => {
    const text = 'jobs:\n  a:\n    steps:\n      - run: x\n  b-c:\n    env:\n      T: ${{ secrets.T }}\n';
    expect(jobsOf(text).map((one) => [one.name, hasToken(one), one.commands])).toEqual([
      ['a', false, ['x']],
      ['b-c', true, []],
    ]);
  });
});

describe('what runs on GitHub', () => {
  it('runs nothing of the repository in a job with a token', () => {
    const jobs = workflows.flatMap(({ text }) => jobsOf(text)).filter(hasToken);
    expect(jobs.map(({ name }) => name).toSorted()).toEqual(['publish', 'scorecard']);
    const runs = jobs.flatMap(({ commands }) => commands);
    expect(runs.filter((command) => !/^(npm stage publish|gh release create) /.test(command))).toEqual([
      expect.stringMatching(pinnedNpm),
    ]);
  });

  it('is pinned by commit, each action with its version beside', () => {
    const uses = workflows.flatMap(({ text }) =>
      [...text.matchAll(/uses: (.+)/g)].map(([, what = '']) => what),
    );
    expect(uses).not.toEqual([]);
    expect(
      uses.filter((what) => !/^(?:\.\/.+\.yml|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(what)),
    ).toEqual([]);
  });

  it.each(workflows.map(({ name, text }) => [name, text] as const))(
    '%s may only read, by default',
    (_, text) => {
      expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    },
  );
});
