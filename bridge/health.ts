import { Router } from 'express';
import type { Bridge } from './bridge.js';
import { reasonOf } from './verifiers/call.js';

/**
 * For whoever runs the bridge, and not for the public: that it runs, whether it can work, and what it has counted. A
 * verifier that is down is told, but does not make it unready: else the pages that wait would be gone with it.
 */
export function healthRoutes({ jobs, verifier, metrics }: Bridge): Router {
  const router = Router();
  const storeFails = async (): Promise<string | undefined> => {
    try {
      await jobs.check();
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  };
  metrics.isUp('store', 'Whether the store answers.', async () => (await storeFails()) === undefined);
  metrics.isUp(
    'verifier',
    'Whether the verifier answers.',
    async () => (await verifier.failsSince()) === undefined,
  );

  router.get('/healthz', (_req, res) => void res.json({ bridge: 'runs' }));
  router.get('/readyz', async (_req, res) => {
    const [store, since] = await Promise.all([storeFails(), verifier.failsSince()]);
    res.status(store === undefined ? 200 : 503).json({
      store: store === undefined ? 'answers' : `fails: ${store}`,
      verifier: since === undefined ? 'answers' : `fails since ${new Date(since).toISOString()}`,
    });
  });
  router.get('/metrics', async (_req, res) => {
    res.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}
