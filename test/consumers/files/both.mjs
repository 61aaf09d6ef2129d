import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as imported from 'pidgate';
import { flow as commonJs } from './flow.cjs';
import { flow as esm } from './flow.mjs';

const required = createRequire(import.meta.url)('pidgate');

/** One flow of each format in one app; what one format makes, the other knows. */
export async function flow() {
  assert.equal(imported.memoryStore, required.memoryStore);
  assert.throws(() => required.identityVerification({ reveal: [] }), imported.IdentityError);
  assert.throws(() => imported.identityVerification({ reveal: [] }), required.IdentityError);
  assert.equal(await commonJs(), await esm());
  return await esm();
}
