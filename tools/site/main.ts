import { join } from 'node:path';
import process, { argv, stderr, stdout } from 'node:process';
import { root } from '../contents.js';
import { buildSite } from './build.js';
import { brokenLinks } from './links.js';

const out = argv[2] ?? join(root, 'site');
const complete = await buildSite(out);
const { checked, broken } = brokenLinks(out);
for (const link of broken) stderr.write(`A link leads nowhere: ${link}\n`);
if (complete && broken.length === 0)
  stdout.write(`${out}/index.html: ${checked} links, all lead somewhere.\n`);
else process.exitCode = 1;
