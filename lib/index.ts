/** @module pidgate */
export { identityVerification, type IdentityVerification } from './identity-verification.js';
export {
  createProveClient,
  type ProveClient,
  type ProveClientOptions,
  type ProveRequest,
} from './service/prove/client.js';
export type { Callback } from './service/contract.js';
export { type CallbackReply, callbackReply, parseCallback } from './service/prove/callback.js';
export { ask, type Question } from './options/ask.js';
export { sdJwtVc, signedJwt } from './options/trust.js';
export { verifyPresentation } from './verify/verify-presentation.js';
export {
  type TrustedAnchors,
  type TrustedCertificate,
  trustFromPem,
  x509HashClientId,
} from './verify/x5c/trust-from-pem.js';
export type { Duration } from './internal/timeouts.js';
export { isAtLeast } from './service/is-at-least.js';
export { memoryStore, type MemoryStoreOptions } from './stores/memory.js';
export { type ErrorCode, errorCodes, IdentityError, type KitErrorCode } from './errors.js';
export type {
  AgeId,
  AttributeId,
  DerivedId,
  DerivedResults,
  PidAttributes,
  Variant,
} from './types/attributes.js';
export type { IdentityEvent, Step } from './types/events.js';
export type { FlowStore } from './types/store.js';
export type { Jwk, JwtTrust, SdJwtVcTrust, Trust, TrustEntry } from './types/trust.js';
export type { Clock, Json } from './types/json.js';
export type { Expected, Verdict, Verifier } from './types/trust.js';
export type { AppRequest, HookResult, IdentityOptions, Limits, Logger, Routes } from './options/options.js';
export type { IdentityPage, PagesOptions, PageTextKey, PageTexts } from './options/pages/page-options.js';
export type {
  Ask,
  DerivedMap,
  IssuerId,
  KeptIdentity,
  Result,
  VerificationResult,
} from './options/result-types.js';
export type { Receipt } from './service/receipt.js';
export type { Guard, RequireOptions } from './http/guard.js';
export type { StartOptions } from './http/start-input.js';
