import type { EventEmitter } from 'node:events';
import { styleText } from 'node:util';

/** Where a command writes. Only a terminal has columns: a file or a pipe gets each text in one line. */
export interface Output {
  write(text: string): unknown;
  readonly columns?: number | undefined;
}

/** What a command needs of the world around it. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: AsyncIterable<unknown>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where SIGINT, SIGTERM, SIGHUP and the process's own exit are heard. */
  readonly signals: Pick<EventEmitter, 'on' | 'off'>;
  /** A person's keyboard is attached: Ctrl-C reaches the app without our help. */
  readonly interactive: boolean;
  readonly color: boolean;
  /** What the app gets as its input and output. */
  readonly stdio: 'inherit' | 'ignore';
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

type Style = 'bold' | 'dim' | 'cyan' | 'green' | 'red';

/** Each line is painted by itself, so that no style runs on where one ends. */
export function paint({ color }: Pick<Terminal, 'color'>, style: Style, text: string): string {
  if (!color) return text; // `color` has looked at the stream
  return text.replaceAll(/.+/g, (line) => styleText(style, line, { validateStream: false }));
}

/** How wide a line may be. */
export const widthOf = ({ columns }: Output): number => columns || Number.POSITIVE_INFINITY;

/**
 * Returns a text after its lead, in lines of this width, the further ones below the first. It is broken at spaces only: a
 * word that is wider than its place, such as an address, has a line to itself, further to the left. `shown` is the lead
 * as it is painted.
 */
export function hang(lead: string, text: string, width: number, shown = lead): string {
  const lines: string[] = [];
  let line = shown;
  let length = lead.length;
  let gap = '';
  for (const word of text.split(' ')) {
    if (length + gap.length + word.length > width) {
      if (line.trim() !== '') lines.push(line.trimEnd());
      length = Math.max(0, Math.min(lead.length, width - word.length));
      line = ' '.repeat(length);
      gap = '';
    }
    line += gap + word;
    length += gap.length + word.length;
    gap = ' ';
  }
  return `${[...lines, line].join('\n')}\n`;
}

/** Writes a sentence of pidgate's own to stderr. */
export function warn({ stderr }: Pick<Terminal, 'stderr'>, sentence: string): void {
  stderr.write(hang('pidgate: ', sentence, widthOf(stderr)));
}
