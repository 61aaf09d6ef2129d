import {
  type Ask,
  type ErrorCode,
  IdentityError,
  type IdentityVerification,
  ask,
  errorCodes,
  identityVerification,
  isAtLeast,
  memoryStore,
} from 'pidgate';
import { type PostgresPool, type PostgresStore, postgresStore } from 'pidgate/postgres';
import { type NodeRedisClient, redisStore } from 'pidgate/redis';
import type { Sandbox } from 'pidgate/sandbox';
import { type SdJwtOptions, verifySdJwt } from 'pidgate/sd-jwt';
import { flowStoreContract } from 'pidgate/testing';

/** Each entry by name and by type, and a use that the types must refuse. */
export const identity = (sandbox: Sandbox) =>
  identityVerification({
    ...sandbox.options,
    reveal: ['given_name'],
    // @ts-expect-error: the birth date was not asked for
    onSuccess: ({ result }) => void result.attributes.birth_date,
  });
export const codes: Record<ErrorCode, string> = errorCodes;
export const rows = (pool: PostgresPool): PostgresStore => postgresStore({ pool });
export const flows = (client: NodeRedisClient) => redisStore({ client });
export const verify = async (token: string, options: SdJwtOptions) => await verifySdJwt(token, options);
export const contract: typeof flowStoreContract = flowStoreContract;
export const isOurs = (error: unknown): error is IdentityError => error instanceof IdentityError;
export const store = memoryStore({ max: 10 });

/** Questions of their own, which any factory asks. */
export const age = ask({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
  allow: ({ adult }) => adult,
  keepFor: '30d',
});
export const ofAge = (sandbox: Sandbox) =>
  identityVerification({ ...sandbox.options, questions: { age } }).require({
    question: 'age',
    allow: ({ adult }) => adult,
  });
const questions: readonly Ask[] = [age];
export const anyFactory = (any: IdentityVerification): unknown =>
  any.require({ allow: (kept) => kept !== questions });
