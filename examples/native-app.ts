// A native app: it opens /app/verified in the system's browser, and gets the result by a deep link and a code that is
// good for one exchange. Try it, and open /app/verified?challenge=x:
//   npx pidgate dev examples/native-app.ts
import { createHash, randomBytes } from 'node:crypto';
import express from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';

const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
app.use(session({ secret, resave: false, saveUninitialized: false }));

const identity = identityVerification({
  reveal: ['age_over_18'],
  keep: ({ attributes }) => ({ adult: attributes.age_over_18 }),
  keepFor: '10m',
});
app.use('/identity', identity);

// With more than one process, keep these where all find them, such as in Redis.
const codes = new Map<string, { adult: boolean; challenge: string; until: number }>();

// The app makes a random verifier, and sends its SHA-256 as the challenge: whoever else gets the link has no verifier.
app.get('/app/verified', identity.require(), (req, res) => {
  const { challenge } = req.query;
  const adult = identity.of(req)?.kept.adult === true;
  if (typeof challenge !== 'string') {
    res.status(400).send('The challenge is missing.');
    return;
  }
  for (const [old, { until }] of codes) if (until < Date.now()) codes.delete(old); // those that nobody exchanged
  const code = randomBytes(32).toString('base64url');
  codes.set(code, { adult, challenge, until: Date.now() + 60_000 });
  // A link that only your app can claim (App Links, Universal Links) is better than a scheme of its own.
  res.redirect(303, `shopapp://verified?code=${code}`);
});

app.post('/app/exchange', express.json(), (req, res) => {
  const { code = '', verifier = '' } = req.body as { code?: string; verifier?: string };
  const found = codes.get(code);
  codes.delete(code); // good for one exchange, even for one that fails
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  if (found === undefined || found.until < Date.now() || found.challenge !== challenge) {
    res.status(400).json({ error: 'code_invalid' });
    return;
  }
  res.json({ adult: found.adult });
});
app.listen(PORT);
