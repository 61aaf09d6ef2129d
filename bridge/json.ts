/** Reads a setting. What Node says of text that is no JSON has a piece of it, which may be a key. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('must be JSON');
  }
}
