import { sha256 } from './seal.js';

/** Writes a line about a job, under a name that leads to no page. What a page's reloads repeat is written once. */
export function createLog(write: (line: string) => void): (id: string | undefined, line: string) => void {
  const last = new Map<string, string>();
  return (id = '', line) => {
    if (last.get(id) === line) return;
    last.delete(id);
    last.set(id, line);
    for (const oldest of last.keys()) {
      if (last.size <= 1_000) break;
      last.delete(oldest);
    }
    write(`${id === '' ? '' : `${sha256(id).slice(0, 8)}  `}${line}`);
  };
}
