// A log-in whose session is looked up asynchronously, as better-auth and Auth.js do. The option subject is synchronous:
// look the user up in middleware above, and let subject read what it found. Try it:
//   npx pidgate dev examples/async-log-in.ts
import { randomUUID } from 'node:crypto';
import express, { type Request } from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';

declare module 'express-serve-static-core' {
  interface Request {
    userId?: string | undefined;
  }
}
const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

// In the place of this: better-auth's (await auth.api.getSession({ headers: fromNodeHeaders(req.headers) }))?.user.id,
// or Auth.js's (await getSession(req, authConfig))?.user?.id.
const logIns = new Map<string, string>();
async function findUserId(req: Request): Promise<string | undefined> {
  const [, token = ''] = /(?:^|; )log-in=([^;]*)/.exec(req.headers.cookie ?? '') ?? [];
  return await Promise.resolve(logIns.get(token));
}

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
// The log-in has a session of its own; pidgate needs one of express-session beside it.
app.use(session({ secret, resave: false, saveUninitialized: false }));
app.use((req, _res, next) => {
  findUserId(req)
    .then((userId) => {
      req.userId = userId;
      next();
    })
    .catch(next); // with Express 5, an async middleware may throw
});

const identity = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  subject: (req) => req.userId, // after a log-out, or as somebody else, the result does not count
});
app.use('/identity', identity);

app.get('/', (_req, res) => {
  res.send('<form method="post" action="/log-in"><button name="id" value="1">Log in</button></form>');
});
app.post('/log-in', express.urlencoded(), (req, res) => {
  const { id = '' } = req.body as { id?: string }; // a real log-in asks for a password
  const token = randomUUID();
  logIns.set(token, id);
  res.cookie('log-in', token, { httpOnly: true, sameSite: 'lax' }).redirect(303, '/club');
});
app.get('/club', identity.require(), (req, res) => {
  res.json({ user: req.userId, ...identity.of(req)?.kept });
});
app.post('/log-out', (_req, res) => {
  res.clearCookie('log-in').redirect(303, '/');
});
app.listen(PORT);
