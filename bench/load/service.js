import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createSandboxIssuer } from '../../dist/dev/sandbox/issuers/sandbox-issuer.js';
import { peopleOn } from '../../dist/dev/sandbox/people/people.js';
import { sandboxProfile } from '../../dist/dev/sandbox/profile.js';

// The service and the wallet, in a process of their own. The address of the wallet page is the question itself:
// nothing is held, and who opens it gets the callback's body with a presentation that is signed just then.

// PROVE_MS is how long a question takes, give or take a half: those that came together are not answered together.
// FAULTS is the share of questions that are answered with an error, and of those whose connection is closed.
const faults = Number(process.env.FAULTS ?? 0);
const proveMs = Number(process.env.PROVE_MS ?? 0);
const server = createServer({ keepAliveTimeout: 120_000 }, (req, res) => {
  const chance = req.url === '/prove' ? Math.random() : 1;
  if (chance < faults) return res.writeHead(500).end();
  if (chance < 2 * faults) return req.destroy();
  void answer(req).then((text) => {
    res.setHeader('content-type', 'application/json').end(text);
  });
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${server.address().port}`;
const issuer = await createSandboxIssuer(url, 'derived', () => new Date());
const { person } = peopleOn(new Date()).erika;
process.on('disconnect', () => process.exit());
process.send({ url });

async function answer(req) {
  if (req.url === sandboxProfile.jwksPath) return JSON.stringify(issuer.jwks);
  if (req.url === '/prove') {
    const asked = Buffer.concat(await req.toArray()).toString('base64url');
    if (proveMs > 0) await wait(proveMs * (0.5 + Math.random()));
    return JSON.stringify({ success: true, redirect_url: `${url}/wallet/${asked}` });
  }
  const request = JSON.parse(Buffer.from(req.url.replace('/wallet/', ''), 'base64url').toString());
  const presentation = await issuer.present({ request: { derived: {}, ...request }, person });
  return new URLSearchParams({ presentation, state: request.state }).toString();
}
