/** A logger, and the lines that it was told: each with its level in front. */
export function listen() {
  const lines: string[] = [];
  return {
    lines,
    logger: {
      error: (line: string) => void lines.push(`error ${line}`),
      warn: (line: string) => void lines.push(`warn ${line}`),
    },
  };
}
