import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { configInvalid } from '../../../errors.js';

/** Listens on this machine alone, so that no one else on the network reaches the sandbox. */
export async function listen(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw configInvalid(`createSandbox: port ${port} is taken on 127.0.0.1.`);
    throw configInvalid(`createSandbox: port ${port} cannot be listened on (${code}).`);
  }
  const address = server.address() as AddressInfo; // a string only for a pipe
  return { server, url: `http://127.0.0.1:${address.port}` };
}
