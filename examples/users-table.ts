// A table of users in SQL, with the name that a wallet has proved. It finds Postgres by PGHOST, PGUSER and so on:
//   npx pidgate dev examples/users-table.ts
import express, { type RequestHandler } from 'express';
import session from 'express-session';
import { Pool } from 'pg';
import { identityVerification } from 'pidgate';

declare module 'express-session' {
  interface SessionData {
    userId?: string;
  }
}
const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

const pool = new Pool();
pool.on('error', (error) => console.error(error));
// The day of birth is a text: of some people only the year is known, as in 1964-00-00, which is no date of SQL.
await pool.query(`CREATE TABLE IF NOT EXISTS users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE,
  given_name text, family_name text, born text,
  verified_at timestamptz, receipt text)`);

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
app.use(session({ secret, resave: false, saveUninitialized: false }));

const identity = identityVerification({
  reveal: ['given_name', 'family_name', 'birth_date'],
  subject: (req) => req.session.userId, // what one person has proved never counts for the next
  // It runs again where the answer to the browser was lost: an UPDATE does the same twice.
  onSuccess: async ({ req, result: { attributes, verifiedAt, receipt } }) => {
    const { given_name, family_name, birth_date } = attributes;
    const { rowCount } = await pool.query(
      `UPDATE users SET given_name = $2, family_name = $3, born = $4, verified_at = $5, receipt = $6 WHERE id = $1`,
      [req.session.userId, given_name, family_name, birth_date, verifiedAt, receipt.id],
    );
    return rowCount === 1 ? undefined : { refuse: 'no_account' };
  },
});
const usersOnly: RequestHandler = (req, res, next) => {
  if (req.session.userId === undefined) res.redirect(303, '/');
  else next();
};
app.use('/identity/start', usersOnly);
app.use('/identity', identity);

app.get('/', (_req, res) => {
  res.send(
    '<form method="post" action="/sign-up"><input type="email" name="email" required><button>Sign up</button>',
  );
});
// A real log-in needs besides: proof that the address is theirs (a link to it, a password, a passkey), a limiter, a
// check that the form is this app's own (CSRF), and an answer that does not tell who has an account.
app.post('/sign-up', express.urlencoded(), async (req, res, next) => {
  const { email } = req.body as { email: string };
  const insert = `INSERT INTO users (email) VALUES ($1) ON CONFLICT (email) DO NOTHING RETURNING id`;
  const { rows } = await pool.query<{ id: string }>(insert, [email]);
  const [user] = rows; // none where the address is taken
  if (user === undefined) {
    res.redirect(303, '/');
    return;
  }
  // A new id for the session: whoever knew the old one is not logged in with it.
  req.session.regenerate((error: unknown) => {
    if (error) {
      next(error);
      return;
    }
    req.session.userId = user.id;
    res.redirect(303, '/account');
  });
});
// The table says who is verified, on every device and for as long as you want: no guard is needed.
app.get('/account', usersOnly, async (req, res) => {
  const select = 'SELECT given_name, family_name, born, verified_at FROM users WHERE id = $1';
  const { rows } = await pool.query<{ verified_at: Date | null }>(select, [req.session.userId]);
  if (rows[0]?.verified_at) res.json(rows[0]);
  else res.send('<a href="/identity/start?returnTo=/account">Verify my identity</a>');
});
app.listen(PORT);
