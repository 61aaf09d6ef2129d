import { env } from 'node:process';
import { findServer, pathVariable, serverNames, servers } from './servers.mjs';

/** @typedef {import('./service.mjs').Service} Service */

/**
 * The globalSetup of the projects that need servers. What is not installed is not started; its tests are skipped then,
 * and the reporter says so.
 */
export default async function setup() {
  const started = await Promise.allSettled(
    serverNames.map(async (name) =>
      findServer(name) === undefined ? undefined : await servers[name].start(),
    ),
  );
  const services = started.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  const failed = started.find((one) => one.status === 'rejected');
  Object.assign(globalThis, { pidgateServices: services });
  if (failed !== undefined) {
    await teardown(); // jest runs none after a globalSetup that failed
    throw failed.reason;
  }
  for (const [index, name] of serverNames.entries()) env[pathVariable(name)] = services[index]?.path ?? '';
}

/** Ends what setup() has started. */
export async function teardown() {
  const { pidgateServices = [] } = /** @type {{ pidgateServices?: (Service | undefined)[] }} */ (globalThis);
  await Promise.all(pidgateServices.map(async (service) => await service?.stop()));
}
