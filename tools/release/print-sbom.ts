import { argv, cwd, stdout } from 'node:process';
import { sbomOf } from './sbom.js';

stdout.write(`${JSON.stringify(sbomOf(argv[2] ?? cwd()), undefined, 2)}\n`);
