import type { EventEmitter } from 'node:events';
import { styleText } from 'node:util';

/** What a command needs of the world around it. */
export interface Terminal {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
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

export function paint({ color }: Pick<Terminal, 'color'>, style: Style, text: string): string {
  return color ? styleText(style, text, { validateStream: false }) : text; // `color` has looked at the stream
}
