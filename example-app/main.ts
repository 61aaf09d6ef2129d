import cluster from 'node:cluster';
import { engineVariable } from './server/open-engine.js';
import { startProcesses } from './server/processes.js';
import { serve } from './server/serve.js';

// With the address of an engine, several processes share it.
if (engineVariable !== undefined && cluster.isPrimary) await startProcesses();
else await serve();
