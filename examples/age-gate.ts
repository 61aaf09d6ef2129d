// An age gate: one page is for adults, and one yes or no is stored. Try it with Erika, and with Leon, who is 17:
//   npx pidgate dev examples/age-gate.ts
//   npx pidgate dev examples/age-gate.ts --person minor
import express from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';

const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
const cookie = { maxAge: 30 * 24 * 60 * 60 * 1000 }; // a yes ends with its session, so both have 30 days
app.use(session({ secret, cookie, resave: false, saveUninitialized: false }));

const identity = identityVerification({
  // A page says this before the wallet opens.
  purpose: 'You must be 18 or over to buy spirits.',
  reveal: ['age_over_18'],
  keptAs: 'Whether you are 18 or over',
  // Only what keep returns is stored.
  keep: ({ attributes }) => ({ adult: attributes.age_over_18 }),
  // Only these people get in.
  allow: ({ adult }) => adult,
  // A no counts for minutes, because a birthday may be tomorrow.
  keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
  pages: {
    name: 'Corner shop',
    otherWay: { url: '/shop', text: 'I have no wallet: show an ID in the shop' },
    texts: {
      en: {
        'refused.age.title': 'Spirits are for people from 18',
        'refused.age.text': 'Your wallet says that you are younger. Everything else is open to you.',
      },
    },
  },
});
app.use('/identity', identity);

app.get('/', (_req, res) => {
  res.send('<h1>Corner shop</h1><a href="/spirits">Spirits</a> <a href="/shop">Where we are</a>');
});
app.get('/shop', (_req, res) => {
  res.send('<h1>Werkstraße 12</h1>Bring any ID with a photo.');
});

// Whoever has not verified goes to the wallet first, and comes back. A minor gets 403, with the texts above.
app.get('/spirits', identity.require({ refused: 'age' }), (_req, res) => {
  res.send('<h1>Spirits</h1>Rum, gin and whisky.');
});
app.listen(PORT);
