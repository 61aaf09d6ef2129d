import express, { Router } from 'express';
import { z } from 'zod';
import type { AppNews } from '../join.js';
import type { Service } from '../service/service.js';

const text = z.string().max(2000);
const path = z.string().regex(/^\/[\w.~/-]{0,200}$/);
const address = z.url({ protocol: /^https?$/ }).max(2000);
const question = z.strictObject({
  name: text,
  start: path,
  asks: z.array(text).max(20),
  purposes: z.record(text, text),
});

const newsSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('app'), name: text, url: address, questions: z.array(question).max(100) }),
  z.strictObject({
    type: z.literal('flow'),
    receipt: text,
    flow: text,
    question: text,
    asks: z.array(text).max(20),
  }),
  z.strictObject({
    type: z.literal('event'),
    flow: text,
    event: text,
    code: text.exactOptional(),
    check: text.exactOptional(),
  }),
  z.strictObject({ type: z.literal('kept'), receipt: text, kept: z.unknown() }),
  z.strictObject({ type: z.literal('guarded'), url: address, start: text }),
]) satisfies z.ZodType<AppNews>;

/** What an app in development tells of itself (see `join.ts`). */
export function appRoute({ app, timeline }: Service): Router {
  const router = Router();
  router.post('/app', express.json({ limit: '64kb', inflate: false }), (req, res) => {
    const news = newsSchema.safeParse(req.body);
    if (news.success) {
      app.hear(news.data);
      timeline.hear(news.data);
    }
    res.status(news.success ? 204 : 400).end();
  });
  return router;
}
