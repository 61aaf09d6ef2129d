import { configInvalid } from '../errors.js';

/**
 * Refuses to go on unless NODE_ENV is `development`, `test` or unset (as in node:test, and in a terminal): `Production`,
 * `prod` and `staging` are productions too.
 */
export function onlyInDevelopment(what: string): void {
  const mode = process.env['NODE_ENV'] || undefined;
  if (mode === undefined || mode === 'development' || mode === 'test') return;
  throw configInvalid(`${what}: it does not run with NODE_ENV=${mode}, only with development, test or none.`);
}
