import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/**
 * A port of loopback that refuses connections for as long as this process lives. The far end of an open connection
 * holds it: one that was merely closed again could be given to a server of another test. The near end's port would
 * not do: Linux may choose it as the source of a connection to that very port, which then reaches itself (about one
 * in 13,000).
 */
export async function refusingPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const near = connect(port, '127.0.0.1');
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], []];
  for (const end of [near, far]) end.on('error', () => undefined).unref();
  server.close();
  return port;
}
