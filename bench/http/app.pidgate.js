import express from 'express';
import session from 'express-session';
import { sandboxTrust } from '../../dist/dev/sandbox/profile.js';
import { identityVerification, isAtLeast } from '../../dist/index.js';

/** examples/quickstart.ts, with the trust that `pidgate dev` registers. Its environment is set by serve.js. */
export function create({ serviceUrl }) {
  const app = express();
  app.use(session({ secret: 'of the measuring', resave: false, saveUninitialized: false }));

  const identity = identityVerification({
    allowSandbox: true,
    trust: { 'xx-sandbox': sandboxTrust(serviceUrl) },
    reveal: ['given_name', 'birth_date'],
    keep: ({ attributes }) => ({ name: attributes.given_name, adult: isAtLeast(attributes.birth_date, 18) }),
    keepFor: '30d',
    onSuccess: ({ result }) => console.log('verified', result.receipt.id),
    onError: ({ error }) => console.warn(error.code),
  });

  app.use('/identity', identity);
  app.get('/club', identity.require({ maxAge: '30d' }), (req, res) => {
    res.json(identity.of(req)?.kept);
  });
  app.get('/news', (_req, res) => {
    res.json({});
  });
  return app;
}
