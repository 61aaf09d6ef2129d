import { describe, expect, it } from '@jest/globals';
import express, { type Express } from 'express';
import request from 'supertest';
import { asVerified, testClock } from '../../../lib/dev/testing/index.js';
import { type Identity, identityWith } from '../../support/app.js';
import session from 'express-session';

const options = {
  baseUrl: 'https://service.example',
  apiKey: 'key',
  issuer: 'de-ausweis',
  trust: { 'de-ausweis': async () => ({ valid: false, reason: 'never' }) },
  appUrl: 'https://shop.example',
  reveal: ['given_name'],
  questions: { age: { reveal: ['birth_date'] } },
};

function club(identity: Identity): Express {
  const app = express();
  app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
  app.get('/club', identity.require({ maxAge: '30d' }), (req, res) => {
    res.json(identity.of(req));
  });
  app.get('/spirits', identity.require({ question: 'age' }), (req, res) => {
    res.json(identity.of(req, { question: 'age' })?.kept);
  });
  return app;
}

describe('asVerified', () => {
  it('opens the guards of one factory for one question', async () => {
    const identity = identityWith(options);
    const app = express()
      .use(asVerified(identity, { kept: { name: 'Erika' } }))
      .use(club(identity));
    const { status, body } = await request(app).get('/club');
    expect(status).toBe(200);
    expect(body).toMatchObject({ kept: { name: 'Erika' }, sandbox: true });
    expect((await request(app).get('/spirits')).status).toBe(401);
    const other = identityWith({ ...options, path: '/other' });
    const wrong = express()
      .use(asVerified(other, { kept: {} }))
      .use(club(identity));
    expect((await request(wrong).get('/club')).status).toBe(401);
  });

  it('of a named question; the last mark counts', async () => {
    const identity = identityWith(options);
    const marks = [1, 2].map((kept) => asVerified(identity, { question: 'age', kept }));
    const app = express().use(marks).use(club(identity));
    expect((await request(app).get('/spirits')).body).toBe(2);
  });

  it('F190 is judged by the rule of the question, for which it needs what keep would return', async () => {
    const keep = () => ({ adult: true });
    const allow = ({ adult }: { adult: boolean }) => adult;
    const identity = identityWith({
      ...options,
      questions: { age: { reveal: ['birth_date'], keep, allow } },
    });
    expect(() => asVerified(identity, { question: 'age' })).toThrow(
      'asVerified: kept is missing. Option questions.age.allow judges what keep returns',
    );
    for (const [adult, status] of [
      [true, 200],
      [false, 403],
    ] as const) {
      const app = express()
        .use(asVerified(identity, { question: 'age', kept: { adult } }))
        .use(club(identity));
      expect((await request(app).get('/spirits')).status).toBe(status);
    }
  });

  it('an old verification asks again', async () => {
    const identity = identityWith(options);
    const verifiedAt = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    const app = express().use(asVerified(identity, { verifiedAt })).use(club(identity));
    const { status, body } = await request(app).get('/club');
    expect([status, body.error]).toEqual([401, 'identity_stale']);
  });

  it.each(['production', 'Production', 'prod', 'staging', 'test '])(
    'F74 does not exist with NODE_ENV=%s',
    (mode) => {
      const identity = identityWith(options);
      const before = process.env['NODE_ENV'];
      process.env['NODE_ENV'] = mode;
      try {
        expect(() => asVerified(identity)).toThrow(`it does not run with NODE_ENV=${mode},`);
      } finally {
        process.env['NODE_ENV'] = before;
      }
    },
  );

  it('refuses what is no factory, unknown options and times that are none', () => {
    const identity = identityWith(options);
    expect(() => asVerified(express())).toThrow(
      'asVerified: the first argument must be what identityVerification returned.',
    );
    expect(() => asVerified(identity, { keep: 1 } as never)).toThrow('Did you mean kept?');
    expect(() => asVerified(identity, { verifiedAt: new Date(NaN) })).toThrow('a valid Date');
  });
});

describe('testClock', () => {
  it('stands still until it is told to move', () => {
    const clock = testClock(new Date('2026-05-04T12:00:00Z'));
    const [before] = [clock()];
    clock.forward(1000);
    expect([before.toISOString(), clock().toISOString()]).toEqual([
      '2026-05-04T12:00:00.000Z',
      '2026-05-04T12:00:01.000Z',
    ]);
    expect(Math.abs(testClock()().getTime() - Date.now())).toBeLessThan(60_000);
  });
});
