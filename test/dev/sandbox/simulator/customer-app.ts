import express, { type Express } from 'express';
import session from 'express-session';
import { identityVerification } from '../../../../lib/identity-verification.js';
import { ask } from '../../../../lib/options/ask.js';
import { isAtLeast } from '../../../../lib/service/is-at-least.js';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';

/** A customer's app: a club for adults, and a page for Germans. */
export function clubApp(service: Sandbox['options'], more: Record<string, unknown> = {}): Express {
  const app = express();
  app.set('env', 'production'); // Express prints no stack
  app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
  const identity = identityVerification({
    logger: false,
    ...service,
    reveal: ['given_name', 'birth_date'],
    keep: ({ attributes }) => ({ name: attributes.given_name }),
    questions: {
      german: ask({ reveal: ['given_name'], derived: { nationality: 'DE' }, keep: ({ derived }) => derived }),
    },
    onSuccess: ({ result }) => {
      if (result.question === 'german')
        return result.derived.nationality ? undefined : { refuse: 'not_german' };
      return isAtLeast(result.attributes.birth_date, 18) ? undefined : { refuse: 'too_young' };
    },
    ...more,
  });
  app.use('/identity', identity);
  app.get('/', (_req, res) => res.send('Welcome'));
  app.get('/club', identity.require({ maxAge: '30d' }), (req, res) => {
    res.json(identity.of(req)?.kept);
  });
  return app;
}
