import express, { Router } from 'express';
import { z } from 'zod';
import { IdentityError } from '../../../errors.js';
import { sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import type { Service } from '../service/service.js';
import { WalletRefusal } from '../wallet/wallet.js';
import { asyncRoute } from './handlers.js';

const order = z.strictObject({
  holders: z.array(z.looseObject({ kty: z.string() })).max(100),
  person: z.unknown(),
});

/** What the first link of an app leads to, and what wallets that are other programs need: PIDs, and whom they may answer. */
export function walletRoute(service: Service): Router {
  const router = Router();
  router.get(
    '/wallet',
    asyncRoute(async (req, res) => {
      try {
        const { id } = await service.takeRequest(new URL(req.originalUrl, service.url).searchParams);
        res.redirect(303, `/wallet/${id}`);
      } catch (error) {
        if (!(error instanceof WalletRefusal)) throw error;
        sendSandboxPage(res, 409, notices.walletStops(error.reason));
      }
    }),
  );
  router.get('/access-anchors.pem', (_req, res) => {
    res.type('application/x-pem-file').send(service.access?.anchors.join(''));
  });
  router.post(
    '/pids',
    express.json({ limit: '64kb', inflate: false }),
    asyncRoute(async (req, res) => {
      const { data } = order.safeParse(req.body);
      try {
        if (data === undefined) res.status(400).json({ error: 'The body must be {holders, person?}.' });
        else res.json({ pids: await service.issuePids(data as Parameters<Service['issuePids']>[0]) });
      } catch (error) {
        if (!(error instanceof IdentityError)) throw error;
        res.status(400).json({ error: error.message });
      }
    }),
  );
  return router;
}
