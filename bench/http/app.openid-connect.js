import express from 'express';
import openid from 'express-openid-connect';

/** express-openid-connect as its documentation shows it, but for the algorithm, which is everybody's here. */
export function create({ opUrl, appUrl }) {
  const app = express();
  app.use(
    openid.auth({
      issuerBaseURL: opUrl,
      baseURL: appUrl,
      clientID: 'the-client',
      secret: 'a secret of the measuring, long enough',
      idTokenSigningAlg: 'ES256',
      authRequired: false,
      idpLogout: false,
    }),
  );
  app.get('/club', openid.requiresAuth(), (req, res) => {
    res.json({ name: req.oidc.user.given_name });
  });
  app.get('/news', (_req, res) => {
    res.json({});
  });
  return app;
}
