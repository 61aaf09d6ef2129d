import { keptKey, open, seal } from './secrets.js';

/** Seals the texts that one factory keeps in the sessions of its app. */
export interface KeptSeal {
  seal(mark: string, text: string): string;
  /** The text; undefined where it was sealed for another factory, session or secret, or was changed. */
  open(mark: string, sealed: string): string | undefined;
}

/**
 * The keys are made here, once: each page behind a guard opens a text. A text is bound to its factory and to the mark of its
 * session, which no key has in it.
 */
export function createKeptSeal(path: string, [secret, ...older]: readonly [string, ...string[]]): KeptSeal {
  const boundTo = (mark: string): string => `kept ${path} ${mark}`;
  const current = keptKey(secret, path);
  const all = [current, ...older.map((one) => keptKey(one, path))];
  return {
    seal: (mark, text) => seal(current, boundTo(mark), text),
    open(mark, sealed) {
      let text: string | undefined;
      for (const key of all) text ??= open(key, boundTo(mark), sealed);
      return text;
    },
  };
}
