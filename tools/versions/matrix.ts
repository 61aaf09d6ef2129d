/** The Node versions that are tested: the oldest that `engines` allows, and the newest of each line in support. */
export const nodes = ['20.19.0', '22.23.3', '24.21.0', '26.10.0'] as const;

/**
 * The Express versions, and the jest project that runs on each. 5 and the newest 4 are development dependencies; the
 * oldest is installed for the run.
 */
export const expresses = { express421: '4.21.0', express4: '4.22.3', express5: '5.3.0' } as const;

/** What CI has time for, beside its own Node: the quick tests, and the deep ones that jest.versions.config.mjs names. */
export const ends = [
  { node: nodes[0], projects: ['express421', 'deep421'] },
  { node: nodes[3], projects: ['unit', 'express5', 'deep'] },
] as const;

/** Counts of one project under one Node. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export type Counts = Readonly<Record<string, Count>>;

/** Returns the table that a run ends with: a row for each Node, a column for each project. */
export function table(rows: ReadonlyMap<string, Counts>): string {
  const projects = [...new Set([...rows.values()].flatMap((counts) => Object.keys(counts)))].toSorted();
  const named = (project: string): string =>
    project in expresses ? `Express ${expresses[project as keyof typeof expresses]}` : project;
  const cell = ({ passed, failed, skipped }: Count): string =>
    [
      ...(failed > 0 ? [`${failed} failed`] : []),
      `${passed} passed`,
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ].join(', ');
  const lines = [
    ['', ...projects.map(named)],
    ...[...rows].map(([node, counts]) => [
      `Node ${node}`,
      ...projects.map((project) => (counts[project] === undefined ? 'not run' : cell(counts[project]))),
    ]),
  ];
  const widths = [...projects, ''].map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
