import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const major = (from) => createRequire(from)('express/package.json').version.split('.')[0];
const kit = createRequire(import.meta.url).resolve('pidgate');
assert.deepEqual({ app: major(import.meta.url), kit: major(kit) }, { app: '5', kit: '4' });
