import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import express from 'express';
import session from 'express-session';
import { createRemoteJWKSet, importJWK, jwtVerify } from 'jose';

const month = 30 * 24 * 60 * 60_000;
const sha256 = (text) => createHash('sha256').update(text).digest('base64url');
const newSecret = () => randomBytes(32).toString('base64url');

/** The quickstart by hand: its four routes, and of its guarantees what has room in so few lines. */
export function create({ serviceUrl, appUrl }, post = postByFetch) {
  const app = express();
  app.use(session({ secret: 'of the measuring', resave: false, saveUninitialized: false }));
  const issuerKeys = createRemoteJWKSet(new URL('/jwks.json', serviceUrl));
  const flows = new Map(); // by state, and once verified by code

  app.post('/identity/start', async (req, res) => {
    if (req.headers['sec-fetch-site'] !== 'same-origin') return res.sendStatus(403);
    const { returnTo = '/' } = req.query;
    if (!/^\/(?![/\\])/.test(returnTo)) return res.sendStatus(400);
    for (const [key, { until }] of flows)
      if (until < Date.now()) flows.delete(key);
      else break;
    const state = newSecret();
    flows.set(state, { until: Date.now() + 10 * 60_000 });
    req.session.flow = { state, returnTo };
    await promisify(req.session.save.bind(req.session))();
    const { redirect_url } = await post(`${serviceUrl}/prove`, {
      headers: { authorization: 'Bearer a-key', 'content-type': 'application/json' },
      body: JSON.stringify({ issuer: 'xx-sandbox', revealed: ['given_name', 'birth_date'], state }),
      signal: AbortSignal.timeout(10_000),
    });
    res.redirect(303, redirect_url);
  });

  app.post('/identity/callback', express.urlencoded({ extended: false }), async (req, res) => {
    const { state, presentation } = req.body;
    if (!(flows.get(state)?.until > Date.now())) return res.sendStatus(400);
    const claims = await verify(presentation, sha256(state));
    if (!flows.delete(state)) return res.sendStatus(400);
    const code = newSecret();
    flows.set(code, { state, claims, id: sha256(presentation), until: Date.now() + 10 * 60_000 });
    res.json({ redirect_uri: `${appUrl}/identity/return?code=${code}` });
  });

  app.get('/identity/return', async (req, res) => {
    const flow = flows.get(req.query.code);
    const mine = req.session.flow;
    if (!(flow?.until > Date.now()) || flow.state !== mine?.state) return res.sendStatus(400);
    flows.delete(req.query.code);
    await promisify(req.session.regenerate.bind(req.session))();
    const { given_name: name, birthdate } = flow.claims;
    req.session.identity = { at: Date.now(), kept: { name, adult: isAdult(birthdate) } };
    console.log('verified', flow.id);
    res.redirect(303, `${appUrl}${mine.returnTo}`);
  });

  // A middleware of its own, as an app writes it for several pages.
  const isVerified = (req, res, next) => {
    const { identity } = req.session;
    if (identity === undefined || identity.at + month < Date.now()) res.redirect(303, '/identity/start');
    else next();
  };
  app.get('/club', isVerified, (req, res) => {
    res.json(req.session.identity.kept);
  });
  app.get('/news', (_req, res) => {
    res.json({});
  });
  return app;

  /** Issuer's signature, wallet's signature, nonce, and that each Disclosure is one that the issuer signed. */
  async function verify(presentation, nonce) {
    const [issued, ...disclosures] = presentation.split('~');
    const binding = disclosures.pop();
    const ofIssuer = { algorithms: ['ES256'], typ: 'dc+sd-jwt', issuer: serviceUrl };
    const { payload } = await jwtVerify(issued, issuerKeys, ofIssuer);
    const walletKey = await importJWK(payload.cnf.jwk, 'ES256');
    const ofWallet = {
      algorithms: ['ES256'],
      typ: 'kb+jwt',
      audience: 'pidgate-sandbox',
      maxTokenAge: '10m',
    };
    const bound = await jwtVerify(binding, walletKey, ofWallet);
    const shown = presentation.slice(0, presentation.lastIndexOf('~') + 1);
    const fits = bound.payload.nonce === nonce && bound.payload.sd_hash === sha256(shown);
    if (!fits || !disclosures.every((text) => payload._sd.includes(sha256(text)))) throw new Error('Refused');
    const claims = disclosures.map((text) => JSON.parse(Buffer.from(text, 'base64url')).slice(1));
    return Object.fromEntries(claims);
  }
}

async function postByFetch(url, init) {
  const reply = await fetch(url, { method: 'POST', redirect: 'error', ...init });
  return await reply.json();
}

function isAdult(birthdate) {
  const days = (date) => Number(date.replaceAll('-', ''));
  return days(new Date().toISOString().slice(0, 10)) - days(birthdate) >= 18_00_00;
}
