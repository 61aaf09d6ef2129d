/** Things that are ready to happen, of which one at a time is let go. */
export interface Steps {
  /** Resolves when it is this one's turn. */
  readonly step: (label: string) => Promise<void>;
  readonly ready: () => number;
  /** Lets one happen: which one, the chooser says. */
  readonly next: () => void;
  /** What happened so far, in its order. */
  readonly trace: readonly string[];
}

/** Answers which of these is next. */
export type Choose = (labels: readonly string[]) => number;

export function createSteps(choose: Choose): Steps {
  const waiting: { readonly label: string; readonly go: () => void }[] = [];
  const trace: string[] = [];
  return {
    trace,
    ready: () => waiting.length,
    step: async (label) => await new Promise((go) => waiting.push({ label, go })),
    next() {
      const [chosen] = waiting.splice(choose(waiting.map(({ label }) => label)), 1);
      if (chosen === undefined) throw new Error('Nothing is ready.');
      trace.push(chosen.label);
      chosen.go();
    },
  };
}

export interface Choices {
  readonly choices: readonly number[];
  /** Mostly takes what became ready last, so that one request gets far while another stands still. */
  readonly eager: boolean;
  /** The request that stands still for a while, as long as there is anything else to do. */
  readonly still: { readonly deed: number; readonly from: number; readonly steps: number } | undefined;
}

/** Takes the choices in their order, and after the last of them always what has waited longest. */
export function chooser({ choices, eager, still }: Choices): Choose {
  let at = 0;
  return (labels) => {
    const choice = choices[at] ?? 0;
    const stands = still !== undefined && still.from <= at && at < still.from + still.steps;
    at += 1;
    const moving = labels.flatMap((label, index) => (stands && isOf(label, still.deed) ? [] : [index]));
    const among = moving.length > 0 ? moving : [...labels.keys()];
    const place = eager && choice % 3 > 0 ? among.length - 1 : choice % among.length;
    return among[place] ?? 0;
  };
}

function isOf(label: string, deed: number): boolean {
  return label.startsWith(`callback ${deed} `) || label.startsWith(`return ${deed} `);
}
