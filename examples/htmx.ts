// htmx: a button fetches a part of the page that is for verified people. The guard answers htmx 401 with HX-Redirect,
// so the whole start page opens, and the way back leads to the page that has the button. Try it:
//   npm install htmx.org && npx pidgate dev examples/htmx.ts
import express from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';

const { NODE_ENV, PORT = 3000, SESSION_SECRET } = process.env;
const secret = SESSION_SECRET || (NODE_ENV === 'development' && 'only for development');
if (!secret) throw new Error('SESSION_SECRET is not set');

const app = express();
app.set('trust proxy', 1); // one proxy in front ends TLS
app.use('/htmx', express.static('node_modules/htmx.org/dist'));
app.use(session({ secret, resave: false, saveUninitialized: false }));

const identity = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  keepFor: '30d',
});
app.use('/identity', identity);

// Where links are boosted (hx-boost), one that leads to the start needs hx-boost="false".
app.get('/', (_req, res) => {
  res.send(`<!doctype html>
    <html lang="en">
      <title>Shop</title>
      <script src="/htmx/htmx.min.js"></script>
      <h1>Shop</h1>
      <button hx-get="/prices" hx-target="#prices">Prices for members</button>
      <div id="prices"></div>
    </html>`);
});
// A part of a page: nobody comes back to it, so there is no layout.
app.get('/prices', identity.require(), (_req, res) => {
  res.send('<p>9 euros for members</p>');
});
app.listen(PORT);
