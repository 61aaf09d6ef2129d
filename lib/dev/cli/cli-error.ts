/** Ends a command with one sentence. Exit code 2 means that it was called in a wrong way. */
export class CliError extends Error {
  readonly exitCode: 1 | 2;

  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
