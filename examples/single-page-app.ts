// A single-page app: its script fetches data, and leads to the wallet where the server answers 401. Try it:
//   npx pidgate dev examples/single-page-app.ts
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
  reveal: ['given_name'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  keepFor: '30d',
});
app.use('/identity', identity);

// To a script, the guard answers 401 with { error, start } in place of a redirect.
app.get('/api/club', identity.require(), (req, res) => {
  res.json(identity.of(req)?.kept);
});

// Your bundler makes this page: app.use(express.static('dist')). What matters is that it has the origin of the router.
app.get('/', (_req, res) => {
  res.send(`<!doctype html>
    <html lang="en">
      <title>Club</title>
      <h1>Club</h1>
      <p id="club"></p>
      <button hidden>Verify my identity</button>
      <script type="module">
        const reply = await fetch('/api/club', { headers: { accept: 'application/json' } });
        const { name, start } = await reply.json();
        const button = document.querySelector('button');
        document.querySelector('#club').textContent = reply.ok ? 'Welcome, ' + name : 'For members only.';
        if (reply.status === 401) {
          button.hidden = false;
          const address = new URL(start, location.origin);
          address.searchParams.set('returnTo', location.pathname);
          button.onclick = () => location.assign(address);
        }
      </script>
    </html>`);
});
app.listen(PORT);
