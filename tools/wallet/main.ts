import { X509Certificate, createPrivateKey, randomBytes, sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, stderr, stdout } from 'node:process';
import { parseArgs } from 'node:util';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { decodeProtectedHeader, type JWK } from 'jose';
import { foreignWallet, hasher } from '../../test/support/foreign-wallet.js';

const usage = `npm run wallet -- <folder> <link> [--decline] [--iss <address>]

Plays a wallet of other people's libraries for an app that asks wallets itself. The link is the address of the button
"Open my wallet", or what the QR code holds. The folder has the certificates that docs/going-live.md makes: access-ca.pem
certifies who may ask, and pid-signer.pem with its key signs the ID of Erika Mustermann that the wallet has.
  --decline  shares nothing
  --iss      the issuer in the ID (https://pid.example)
`;

function commandOf() {
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(2),
      allowPositionals: true,
      options: {
        decline: { type: 'boolean', default: false },
        iss: { type: 'string', default: 'https://pid.example' },
      },
    });
    const [folder, link] = positionals;
    if (folder !== undefined && link !== undefined) return { ...values, folder, link };
  } catch {
    // said below
  }
  stderr.write(usage);
  return process.exit(2);
}

const command = commandOf();
if (!URL.canParse(command.link)) {
  stderr.write(`"${command.link}" is no link: copy the address of the button "Open my wallet" again.\n`);
  process.exit(2);
}

function read(name: string): string {
  const file = join(command.folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  stderr.write(`${file} is not there.\n`);
  return process.exit(2);
}

const day = 24 * 60 * 60;

/** An ID for the key of a wallet, as the issuer of the folder signs it. */
async function issuePid({ holder }: { readonly holder: object }): Promise<string> {
  const key = createPrivateKey(read('pid-signer-key.pem'));
  const certificate = new X509Certificate(read('pid-signer.pem'));
  const issuer = new SDJwtVcInstance({
    hasher,
    hashAlg: 'sha-256',
    saltGenerator: () => randomBytes(16).toString('base64url'),
    signAlg: 'ES256',
    signer: (data) =>
      Promise.resolve(
        sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
      ),
  });
  const now = Math.floor(Date.now() / 1000);
  const about = {
    family_name: 'MUSTERMANN',
    given_name: 'ERIKA',
    birthdate: '1964-08-12',
    nationalities: ['DE'],
  };
  return await issuer.issue(
    {
      iss: command.iss,
      iat: now,
      exp: now + 14 * day,
      vct: 'urn:eudi:pid:1',
      cnf: { jwk: holder as JWK },
      ...about,
    },
    { _sd: Object.keys(about) as (keyof typeof about)[] },
    { header: { x5c: [certificate.raw.toString('base64')] } },
  );
}

/** Who has signed a request, by the subject of its certificate. */
function whoAsks(request: string): string {
  const { x5c: [leaf = ''] = [] } = decodeProtectedHeader(request);
  return new X509Certificate(Buffer.from(leaf, 'base64')).subject.replaceAll('\n', ', ');
}

let asker = 'Somebody';

async function answer(): Promise<string> {
  const wallet = await foreignWallet({
    accessAnchors: [read('access-ca.pem')],
    issuePid,
    async fetch(url, init) {
      const reply = await fetch(url, init);
      const text = await reply.clone().text();
      if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) asker = whoAsks(text);
      return reply;
    },
  });
  const opened = await wallet.open(command.link.replaceAll('&amp;', '&'));
  stdout.write(`${asker} asks for ${opened.asked.join(', ')}.\n`);
  const { status, body } = command.decline
    ? await opened.decline()
    : await opened.send(await opened.respond());
  stdout.write(`${command.decline ? 'Shared nothing' : 'Shared'}. The app answered ${status}.\n`);
  if (status !== 200) return `It says: ${JSON.stringify(body)}\n`;
  return body.redirect_uri === undefined
    ? 'Nothing is to be opened here: the page that shows the code goes on.\n'
    : `Open this in the browser in which you began: ${body.redirect_uri}\n`;
}

function whyOf(error: unknown): string {
  const causes = [];
  for (let one = error; one instanceof Error; one = one.cause) causes.push(one.message.replace(/\.?$/, '.'));
  if (asker !== 'Somebody')
    causes.push(`Is the certificate of ${asker} below access-ca.pem in ${command.folder}?`);
  return causes.join(' ') || String(error);
}

await answer().then(
  (line) => void stdout.write(line),
  (error: unknown) => {
    stderr.write(`The wallet does not answer: ${whyOf(error)}\n`);
    process.exitCode = 1;
  },
);
