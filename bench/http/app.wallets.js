import express from 'express';
import session from 'express-session';
import { identityVerification, sdJwtVc } from '../../dist/index.js';

/** An app that asks wallets itself, behind a proxy, with a route that does nothing: all else of a request is Express's. */
export function create({ wallets: { entry, anchors } }) {
  const app = express().set('trust proxy', 'loopback');
  app.use(session({ secret: 'of the measuring', resave: false, saveUninitialized: false }));
  const vct = ['urn:eudi:pid:de:1'];
  const identity = identityVerification({
    appUrl: 'https://app.example',
    secret: 'of the measuring, with 32 characters or more',
    wallets: entry,
    issuer: 'de-ausweis',
    trust: { 'de-ausweis': sdJwtVc({ vct, iss: 'https://issuer.example', keys: { x5c: { anchors } } }) },
    reveal: ['given_name', 'birth_date'],
    keep: ({ attributes }) => ({ name: attributes.given_name }),
    keepFor: '30d',
  });
  app.use('/identity', identity);
  app.get('/bare', (req, res) => {
    res.json({ status: 'pending' });
  });
  return app;
}
