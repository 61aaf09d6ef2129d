import { stdout } from 'node:process';
import { findServer, serverNames, servers } from './servers.mjs';

/** Prints the Debian packages of the servers that are not installed, for .ci/run. */
for (const name of serverNames) {
  if (findServer(name) === undefined) stdout.write(`${servers[name].package}\n`);
}
