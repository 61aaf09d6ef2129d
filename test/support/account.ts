import type { AppSetup, Running } from './app.js';
import type { Browser } from './browser.js';

type Before = NonNullable<AppSetup['before']>;
type After = NonNullable<AppSetup['after']>;

/** POST /login puts this into the session. */
export const login =
  (data: object = { user: 'erika' }): Before =>
  (app) => {
    app.post('/login', (req, res) => {
      Object.assign(req.session, data);
      res.end();
    });
  };

/** GET /shown tells what the session has under these names, and what is kept: of no name, and of these questions. */
export const showing =
  (names: readonly string[], ...questions: readonly string[]): After =>
  (app, identity) => {
    app.get('/shown', (req, res) => {
      const session = req.session as unknown as Record<string, unknown>;
      const kept = [identity.of(req), ...questions.map((question) => identity.of(req, { question }))];
      res.json([...names.map((name) => session[name] ?? null), ...kept.map((one) => one?.kept ?? null)]);
    });
  };

export const shownTo = async (app: Running, browser: Browser): Promise<unknown> =>
  (await browser.get(`${app.url}/shown`)).json();

/** GET /me tells what is kept. */
export const me: After = (app, identity) => {
  app.get('/me', (req, res) => {
    res.json(identity.of(req)?.kept ?? null);
  });
};

/** The ids of the sessions that are stored. */
export const idsOf = ({ sessions }: Running): string[] => Object.keys(sessions['sessions' as never]);

/** A second browser with the cookies that the first one has now. */
export function copyOf(app: Running, browser: Browser): Browser {
  const other = app.browser();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  return other;
}
