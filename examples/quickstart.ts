import express from 'express';
import session from 'express-session';
import { identityVerification, isAtLeast } from 'pidgate';

const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
app.use(session({ secret, resave: false, saveUninitialized: false }));

const identity = identityVerification({
  reveal: ['given_name', 'birth_date'],
  keep: ({ attributes }) => ({ name: attributes.given_name, adult: isAtLeast(attributes.birth_date, 18) }),
  keepFor: '30d',
  onSuccess: ({ result }) => console.log('verified', result.receipt.id),
  onError: ({ error, step, flow }) => console.warn('not verified', step, error.code, flow),
});

app.use('/identity', identity); // start, callback, return, status
app.get('/', (_req, res) => {
  res.send('<a href="/identity/start?returnTo=/club">Verify my identity</a>');
});
app.get('/club', identity.require({ maxAge: '30d' }), (req, res) => {
  res.json(identity.of(req)?.kept);
});
app.listen(PORT);
