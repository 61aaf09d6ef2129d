import type { RequestHandler } from 'express';
import { configInvalid } from '../../errors.js';
import { onlyInDevelopment } from '../only-development.js';
import { type Markable, markAsVerified, testMark } from '../../types/test-marker.js';
import { knownOptions } from '../../internal/former-validate.js';

/** What a test wants the guard to see. */
export interface VerifiedAs {
  /** What `identity.of(req)?.kept` is. */
  readonly kept?: unknown;
  /** The named request; default is the one without a name. */
  readonly request?: string;
  /** When the verification was; default now. For tests of `maxAge`. */
  readonly verifiedAt?: Date;
}

const known = ['kept', 'request', 'verifiedAt'] as const satisfies readonly (keyof VerifiedAs)[];

/**
 * Middleware that makes every request count as verified for the guards of one factory: to put in front of a finished
 * app in a test. Refuses to exist unless NODE_ENV is `development`, `test` or unset.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import { identityVerification } from 'pidgate'
 * import { asVerified } from 'pidgate/testing'
 *
 * const identity = identityVerification({ reveal: ['given_name'] })
 * const app = express().get('/club', identity.require(), (req, res) => res.json(identity.of(req)?.kept))
 * const open = express().use(asVerified(identity, { kept: { name: 'Erika' } })).use(app)
 * ```
 */
export function asVerified(identity: object, options: VerifiedAs = {}): RequestHandler {
  onlyInDevelopment('asVerified opens every guard');
  knownOptions(options, known, 'asVerified');
  if (!isMarkable(identity)) throw configInvalid('asVerified needs what identityVerification returned.');
  const { kept, request = 'default', verifiedAt = new Date() } = options;
  if (!(verifiedAt instanceof Date) || Number.isNaN(verifiedAt.getTime())) {
    throw configInvalid('asVerified: verifiedAt must be a valid Date.');
  }
  return (req, _res, next) => {
    markAsVerified(req, identity, { request, kept, verifiedAt });
    next();
  };
}

function isMarkable(identity: object): identity is Markable {
  return testMark in identity;
}
