// An app with a log-in: customers verify once in a session, each only as the person whose account it is. Try both:
//   npx pidgate dev examples/log-in.ts
import express, { type RequestHandler } from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';

declare module 'express-session' {
  interface SessionData {
    userId?: string;
  }
}
// Your table of users: what the wallet proves is compared with it.
const users = new Map([
  ['1', { name: 'Erika Mustermann', born: '1964-08-12' }],
  ['2', { name: 'Max Mustermann', born: '2008-02-29' }],
]);
const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
app.use(session({ secret, resave: false, saveUninitialized: false }));

const identity = identityVerification({
  reveal: ['given_name', 'family_name', 'birth_date'],
  subject: (req) => req.session.userId, // what one person has proved never counts for the next
  onSuccess: ({ req, result: { attributes } }) => {
    const user = users.get(req.session.userId ?? '');
    const name = `${attributes.given_name} ${attributes.family_name}`; // in capitals on the German identity card
    const isSame = user?.name.toLowerCase() === name.toLowerCase() && user.born === attributes.birth_date;
    return isSame ? undefined : { refuse: 'other_person' };
  },
});
const customersOnly: RequestHandler = (req, res, next) => {
  if (req.session.userId === undefined) res.redirect(303, '/');
  else next();
};
app.use('/identity/start', customersOnly); // above the router: nobody shares data before the log-in
app.use('/identity', identity);

app.get('/', (_req, res) => {
  const buttons = [...users].map(([id, { name }]) => `<button name="id" value="${id}">I am ${name}</button>`);
  res.send(`<form method="post" action="/log-in">${buttons.join('')}</form>`);
});
app.post('/log-in', express.urlencoded(), (req, res, next) => {
  const { id = '' } = req.body as { id?: string }; // a real log-in asks for a password
  req.session.regenerate((error) => {
    if (users.has(id)) req.session.userId = id;
    if (error) next(error);
    else res.redirect(303, '/account');
  });
});
app.get('/account', customersOnly, identity.require(), (_req, res) => {
  res.send('You are verified. <form method="post" action="/log-out"><button>Log out</button></form>');
});
app.post('/log-out', (req, res, next) => {
  req.session.destroy((error) => (error ? next(error) : res.redirect(303, '/')));
});
app.listen(PORT);
