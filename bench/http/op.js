import { once } from 'node:events';
import { createServer } from 'node:http';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

// The OpenID provider, in a process of its own. Who opens its authorization address gets the callback's body, with
// an id token that is signed just then.

const algorithm = 'ES256';
const { publicKey, privateKey } = await generateKeyPair(algorithm);
const jwk = { ...(await exportJWK(publicKey)), kid: 'the-key', alg: algorithm, use: 'sig' };

const server = createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  void answer(new URL(req.url, url)).then((text) => {
    res.setHeader('content-type', 'application/json').end(text);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
process.send({ url });

const metadata = {
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  jwks_uri: `${url}/jwks.json`,
  id_token_signing_alg_values_supported: [algorithm],
  response_types_supported: ['id_token'],
  response_modes_supported: ['form_post'],
  subject_types_supported: ['public'],
};

async function answer({ pathname, searchParams }) {
  if (pathname === '/.well-known/openid-configuration') return JSON.stringify(metadata);
  if (pathname === '/jwks.json') return JSON.stringify({ keys: [jwk] });
  const claims = { given_name: 'Erika', birthdate: '1964-08-12', nonce: searchParams.get('nonce') };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm, kid: jwk.kid })
    .setIssuer(url)
    .setAudience(searchParams.get('client_id'))
    .setSubject('a-person')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return new URLSearchParams({ id_token: token, state: searchParams.get('state') }).toString();
}
