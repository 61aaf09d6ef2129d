/** The callback as a command. It holds the presentation, so it has a page of its own that is asked for by hand. */
export function curlFor(url: string, body: string): string {
  const lines = [
    `curl -i ${quoted(url)}`,
    "-H 'content-type: application/x-www-form-urlencoded'",
    `--data-raw ${quoted(body)}`,
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
