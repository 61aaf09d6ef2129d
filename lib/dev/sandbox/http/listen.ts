import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo, Server as AnyServer } from 'node:net';
import { configInvalid } from '../../../errors.js';

/** Listens on this machine alone, so that no one else on the network reaches the sandbox. */
export async function listen(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer();
  const address = await whenListening(server, port, '127.0.0.1');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

export async function whenListening(server: AnyServer, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw configInvalid(`createSandbox: port ${port} is taken on ${host}.`);
    throw configInvalid(`createSandbox: port ${port} cannot be listened on at ${host} (${code}).`);
  }
  return server.address() as AddressInfo; // a string only for a pipe
}
