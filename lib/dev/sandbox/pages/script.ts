import { createHash } from 'node:crypto';

/**
 * The one script, inline; the policy names it by its hash. It loads a page again when the sandbox says that it has
 * changed, unless the person is already on the way elsewhere, and leaves open what they have opened. Pages work without
 * it: then they load themselves again every few seconds.
 */
export const script = `
const { follow } = document.body.dataset;
const key = 'open ' + location.pathname;
for (const id of JSON.parse(sessionStorage.getItem(key) ?? '[]')) document.getElementById(id)?.setAttribute('open', '');
sessionStorage.removeItem(key);
if (follow) {
  const changes = new EventSource(follow);
  changes.onmessage = () => {
    const open = [...document.querySelectorAll('details[id][open]')].map(({ id }) => id);
    sessionStorage.setItem(key, JSON.stringify(open));
    location.reload();
  };
  addEventListener('beforeunload', () => changes.close());
}
`;

export const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
