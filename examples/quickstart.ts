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
  reveal: ['age_over_18'], // true or false: your code never sees a date of birth
  purpose: 'You must be 18 or over to enter the club.',
  keep: ({ attributes }) => ({ adult: attributes.age_over_18 }), // what the session stores
  allow: ({ adult }) => adult, // who gets in
  keptAs: 'Whether you are 18 or over',
  pages: { name: 'The Corner Club' },
});
app.use('/identity', identity);

app.get('/', (_req, res) => {
  res.send('<a href="/club">Enter the club</a>');
});
app.get('/club', identity.require(), (_req, res) => {
  res.send('Welcome to the club.');
});
app.listen(PORT);
