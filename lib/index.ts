export { identityVerification, type IdentityVerification } from './identity-verification.js';
export { createProveClient, type ProveClientOptions } from './protocol/prove-client.js';
export { type Callback, type CallbackReply, callbackReply, parseCallback } from './protocol/callback.js';
export { verifyPresentation } from './presentation/verify-presentation.js';
export {
  type TrustedAnchors,
  type TrustedCertificate,
  trustFromPem,
} from './presentation/x5c/trust-from-pem.js';
export { isAtLeast } from './protocol/is-at-least.js';
export { memoryStore, type MemoryStoreOptions } from './stores/memory.js';
export { type ErrorCode, errorCodes, IdentityError, type KitErrorCode } from './errors.js';
export type {
  AttributeId,
  Clock,
  DerivedId,
  DerivedResults,
  Expected,
  FlowStore,
  IdentityEvent,
  Json,
  Jwk,
  JwtTrust,
  PidAttributes,
  ProveClient,
  ProveRequest,
  SdJwtVcTrust,
  Step,
  Trust,
  TrustEntry,
  Variant,
  Verdict,
  Verifier,
} from './ports.js';
export type { AppRequest, Duration, HookAnswer, IdentityOptions, Limits, Routes } from './options.js';
export type { AnyResult, DerivedMap, KeptIdentity, Result } from './results.js';
export type { IssuerId } from './protocol/issuers.js';
export type { Receipt } from './protocol/receipt.js';
export type { Guard, RequireOptions } from './web/guard.js';
export type { StartOverrides } from './web/beginning.js';
