import { crashed, type Life } from './life.js';

/** All is over: what must have happened by now, and how often. */
export function ends(life: Life): void {
  const { terms, runs, releases, phase, remembered, told } = life;
  const note = (holds: boolean, what: string): void => {
    if (!holds) life.broken.push(`in the end: ${what}`);
  };
  const actors = [...life.actors.values()];
  note(
    actors.every(({ answered }) => answered),
    'a request without an answer',
  );
  const lossless = !actors.some(crashed);
  const good = (hook: string): number =>
    runs.filter((run) => run.hook === hook && run.end === 'ok' && !run.by.unsaved).length;
  if (phase === 'confirmed') {
    const least = terms.onSuccess ? 1 : 0;
    note(
      good('onSuccess') >= least && (!lossless || good('onSuccess') === least),
      'onSuccess exactly once, beside those of which nothing was kept',
    );
    if (terms.form === 'return') note(releases.length > 0, 'confirmed, and nothing was released');
  }
  if (lossless) note(good('onVerified') <= 1, 'onVerified at most once');
  if (terms.onError) {
    for (const [body, by] of remembered) {
      const once = told.filter((it) => it === body).length === 1;
      const byHook = runs.some((run) => run.by === by && run.end === 'refuses');
      note(once || byHook || crashed(by), `onError once for "${body}"`);
    }
  }
}
