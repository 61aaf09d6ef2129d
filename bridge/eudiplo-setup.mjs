// Makes in EUDIPLO what the bridge needs, by seven calls, and prints the variables of the bridge; docs/going-live.md has
// the command. Written for the version of 14 May 2026 (a3bed4b).
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process, { argv, env, exit, stderr, stdout } from 'node:process';

const [url = '', accessKey = '', accessChain = '', anchors = '', listAnchors = anchors] = argv.slice(2);
const {
  EUDIPLO_CLIENT_ID: id = '',
  EUDIPLO_CLIENT_SECRET: secret = '',
  EUDIPLO_TENANT: tenant = 'bridge',
} = env;
if (anchors === '' || secret === '') {
  stderr.write(
    'EUDIPLO_CLIENT_ID=… EUDIPLO_CLIENT_SECRET=… node bridge/eudiplo-setup.mjs <address> <access key.pem> ' +
      '<access chain.pem> <PID anchors.pem> [<status list anchors.pem>]\n',
  );
  exit(1);
}

process.on('uncaughtException', (error) => {
  const { cause } = error;
  stderr.write(`${error.message}${cause instanceof Error ? `: ${url}: ${cause.message}` : ''}\n`);
  exit(1);
});

/** @param {string} path */
function certificatesIn(path) {
  const found = readFileSync(path, 'utf8').match(
    /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g,
  );
  if (found === null) throw new Error(`${path} has no certificate in PEM.`);
  return found;
}

/**
 * @typedef {{ clientId: string, clientSecret: string }} Client
 * @typedef {{ access_token: string, client: Client } & Client} Made
 * @param {string} path
 * @param {unknown} body
 * @param {string} [token]
 */
async function post(path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const reply = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await reply.text();
  if (!reply.ok)
    throw new Error(`POST /api/${path} was answered with ${reply.status}: ${text.slice(0, 300)}`);
  return /** @type {Made} */ (JSON.parse(text || '{}'));
}

/** @param {Client} client */
async function tokenOf({ clientId, clientSecret }) {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return (await post('oauth2/token', body)).access_token;
}

// All files are read first: one that is missing shall leave nothing half made.
const key = createPrivateKey(readFileSync(accessKey)).export({ format: 'jwk' });
const [crt, issuers, lists] = [
  certificatesIn(accessChain),
  certificatesIn(anchors),
  certificatesIn(listAnchors),
];
if (lists.length > issuers.length)
  throw new Error(
    `${listAnchors} has ${lists.length} certificates, and ${anchors} has ${issuers.length}: the first one is for the ` +
      'status lists of the first issuer, and so on, so some would be left out.',
  );

// 1 to 3: EUDIPLO's own client may only make tenants; the tenant's admin does the rest.
const roles = ['presentation:manage', 'presentation:request'];
const own = await tokenOf({ clientId: id, clientSecret: secret });
const made = await post('tenant', { id: tenant, name: tenant, roles }, own);
const token = await tokenOf(made.client);
// 4: the access certificate, whose hash is the client id that wallets see, and its key.
await post('key-chain/import', { id: 'access', key, usageType: 'access', crt }, token);
// 5: the list of trusted issuers is signed by a key of its own.
await post('key-chain', { usageType: 'trustList', type: 'standalone' }, token);
// 6: who issues the PIDs, and who signs their status lists. The id is the one in BRIDGE_VERIFIER_OPTIONS.
const entities = issuers.map((issuerCertPem, nth) => ({
  type: 'external',
  issuerCertPem,
  revocationCertPem: lists[nth] ?? lists[0],
  info: { name: 'PID provider' },
}));
await post('trust-list', { id: 'pid', entities }, token);
// 7: the bridge's own client.
const client = await post('client', { clientId: `${tenant}-bridge`, roles }, token);

stdout.write(`BRIDGE_VERIFIER=eudiplo
BRIDGE_VERIFIER_URL=${url}
BRIDGE_VERIFIER_CLIENT_ID=${client.clientId}
BRIDGE_VERIFIER_CLIENT_SECRET=${client.clientSecret}
BRIDGE_VERIFIER_OPTIONS={"trusted_authorities":[{"type":"etsi_tl","values":["<TENANT_URL>/trust-list/pid"]}]}
`);
