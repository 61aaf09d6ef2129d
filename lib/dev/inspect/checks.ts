/** A numbered check as docs/checks.md has it. */
export interface ListedCheck {
  readonly check: string;
  readonly sentence: string;
  /** The checks that refuse in its place; empty if it refuses nothing itself. */
  readonly elsewhere: readonly string[] | undefined;
}

/** A check of one presentation. */
export interface CheckLine {
  readonly check: string;
  readonly state: 'passed' | 'failed' | 'not reached';
  readonly sentence: string;
}

/** Reads the numbered checks of docs/checks.md, without those for later. */
export function listedIn(markdown: string): readonly ListedCheck[] {
  const [now = ''] = markdown.split('## Later');
  const items = now.replaceAll(/\n {2,}/g, ' ').matchAll(/^- ([A-Z]\d\d) (.*)$/gm);
  return [...items].map(([, check = '', all = '']) => {
    const [sentence = '', why] = all.split(/ (?=Refused as |Refuses nothing\.)/);
    return { check, sentence, elsewhere: why === undefined ? why : (why.match(/\b[A-Z]\d\d\b/g) ?? []) };
  });
}

/** A check that is made wherever those that refuse nothing themselves apply, by family or number. */
const beside: Readonly<Record<string, string>> = {
  S: 'S02',
  B: 'B02',
  T: 'T05',
  J: 'J02',
  L: 'L01',
  K19: 'K01',
};

/** What became of the presentation: the check that failed, or the one before which it could not go on. */
export interface Outcome {
  readonly verdict: 'valid' | 'refused' | 'unknown';
  readonly failed?: string;
  readonly code?: string;
  readonly stoppedAt?: string;
}

/**
 * Returns the state of every listed check. A check has passed only if its last place in the order is before the first
 * place at which the failed one can be.
 */
export function statesOf(
  listed: readonly ListedCheck[],
  order: readonly string[],
  { verdict, failed, code, stoppedAt }: Outcome,
): readonly CheckLine[] {
  const end = reached(order, failed ?? stoppedAt, code);
  const hasPassed = (check: string) => order.includes(check) && order.lastIndexOf(check) < end;
  const passes = ({ check, elsewhere }: ListedCheck): boolean => {
    if (elsewhere === undefined || order.includes(check)) return hasPassed(check);
    if (!order.includes(beside[check] ?? beside[check.charAt(0)] ?? 'P01')) return false;
    if (elsewhere.length === 0) return verdict === 'valid';
    const deciding = elsewhere.filter((other) => order.includes(other));
    return deciding.length > 0 && deciding.every(hasPassed);
  };
  return listed.map((line) => {
    const { check, sentence } = line;
    if (check === failed) return { check, state: 'failed', sentence };
    return { check, state: passes(line) ? 'passed' : 'not reached', sentence };
  });
}

/** A list that is fetched has a form and a key too: a failure of those is not one of the presentation's. */
function reached(order: readonly string[], check: string | undefined, code: string | undefined): number {
  if (check === undefined) return order.length;
  if (code === 'status_unavailable') return order.indexOf(check.startsWith('T') ? check : 'T05');
  if (code === 'keys_unavailable') return order.indexOf(check.startsWith('L') ? check : firstOfKeys(order));
  return Math.max(order.indexOf(check), 0);
}

function firstOfKeys(order: readonly string[]): string {
  return order.includes('L17') ? 'L17' : 'K14';
}
