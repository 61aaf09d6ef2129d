import cluster from 'node:cluster';
import { engineIsNamed } from './server/open-engine.js';
import { startProcesses } from './server/processes.js';
import { serve } from './server/serve.js';

// With REDIS_URL or DATABASE_URL, several processes share what is stored there.
if (engineIsNamed && cluster.isPrimary) await startProcesses();
else await serve();
