import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A port of loopback that refuses connections for as long as this process lives. The near end of an open connection
 * holds it: one that was merely closed again could be given to a server of another test.
 */
export async function refusingPort(): Promise<number> {
  const server = createServer((far) => void far.unref()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await Promise.all([once(server, 'connection'), once(near, 'connect')]);
  near.on('error', () => undefined).unref();
  server.close();
  return near.localPort as number;
}
