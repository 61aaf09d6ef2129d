import { once } from 'node:events';
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';

// The process of one contender, the only one whose CPU counts. It tells what it has used so far when it is asked.

const { app, serviceUrl, opUrl, wallets } = JSON.parse(process.argv[2]);
const server = createServer({ keepAliveTimeout: 120_000 }).listen(0, '127.0.0.1');
await once(server, 'listening');
const appUrl = `http://127.0.0.1:${server.address().port}`;
process.env.APP_URL = appUrl;
if (wallets === undefined) {
  Object.assign(process.env, {
    IDENTITY_API_KEY: 'a-key',
    IDENTITY_BASE_URL: serviceUrl,
    IDENTITY_ISSUER: 'xx-sandbox',
  });
}
const { create } = await import(`./app.${app}.js`);
server.on('request', create({ appUrl, serviceUrl, opUrl, wallets }));
process.send({ url: appUrl });

const inspector = new Session();
const orders = {
  cpu: () => process.cpuUsage(),
  async profile() {
    inspector.connect();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.setSamplingInterval', { interval: 100 });
    await inspector.post('Profiler.start');
    return {};
  },
  async profiled() {
    const { profile } = await inspector.post('Profiler.stop');
    inspector.disconnect();
    return profile;
  },
};
process.on('message', async (order) => process.send(await orders[order]()));
