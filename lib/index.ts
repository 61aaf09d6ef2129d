export { identityVerification, type IdentityVerification } from './identity-verification.js';
export { createProveClient, type ProveClientOptions } from './protocol/prove-client.js';
export { type Callback, type CallbackReply, callbackReply, parseCallback } from './protocol/callback.js';
export { ask } from './options/ask.js';
export { sdJwtVc, signedJwt } from './options/trust-entries.js';
export { verifyPresentation } from './presentation/verify-presentation.js';
export {
  type TrustedAnchors,
  type TrustedCertificate,
  trustFromPem,
} from './presentation/x5c/trust-from-pem.js';
export { x509HashClientId } from './presentation/x5c/x509-hash-client-id.js';
export type { Duration } from './safe/time.js';
export { isAtLeast } from './protocol/is-at-least.js';
export { memoryStore, type MemoryStoreOptions } from './stores/memory.js';
export { type ErrorCode, errorCodes, IdentityError, type KitErrorCode } from './errors.js';
export type {
  AttributeId,
  DerivedId,
  DerivedResults,
  PidAttributes,
  Variant,
} from './contracts/attributes.js';
export type { IdentityEvent, Step } from './contracts/events.js';
export type { ProveClient, ProveRequest } from './contracts/service.js';
export type { FlowStore } from './contracts/store.js';
export type { Jwk, JwtTrust, SdJwtVcTrust, Trust, TrustEntry } from './contracts/trust.js';
export type { Clock, Json } from './contracts/values.js';
export type { Expected, Verdict, Verifier } from './contracts/verifier.js';
export type { AppRequest, HookResult, IdentityOptions, Limits, Logger, Routes } from './options/options.js';
export type { IdentityPage, PagesOptions, PageTextKey, PageTexts } from './options/pages/options.js';
export type {
  Ask,
  DerivedMap,
  KeptIdentity,
  Question,
  Result,
  VerificationResult,
} from './options/result-types.js';
export type { IssuerId } from './protocol/sandbox.js';
export type { Receipt } from './protocol/receipt.js';
export type { Guard, RequireOptions } from './web/routes/guard.js';
export type { StartOptions } from './web/request/start-input.js';
