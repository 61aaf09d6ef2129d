export { identityVerification, type IdentityVerification } from './identity-verification.js';
export { createProveClient, type ProveClientOptions } from './service/prove/client.js';
export { type Callback } from './service/contract.js';
export { type CallbackReply, callbackReply, parseCallback } from './service/prove/callback.js';
export { ask } from './options/ask.js';
export { sdJwtVc, signedJwt } from './options/trust-entries.js';
export { verifyPresentation } from './verify/verify-presentation.js';
export { type TrustedAnchors, type TrustedCertificate, trustFromPem } from './verify/x5c/trust-from-pem.js';
export { x509HashClientId } from './verify/x5c/trust-from-pem.js';
export type { Duration } from './internal/timeouts.js';
export { isAtLeast } from './service/is-at-least.js';
export { memoryStore, type MemoryStoreOptions } from './stores/memory.js';
export { type ErrorCode, errorCodes, IdentityError, type KitErrorCode } from './errors.js';
export type { AttributeId, DerivedId, DerivedResults, PidAttributes, Variant } from './types/attributes.js';
export type { IdentityEvent, Step } from './types/events.js';
export type { ProveClient, ProveRequest } from './types/service.js';
export type { FlowStore } from './types/store.js';
export type { Jwk, JwtTrust, SdJwtVcTrust, Trust, TrustEntry } from './types/trust.js';
export type { Clock, Json } from './types/json.js';
export type { Expected, Verdict, Verifier } from './types/verifier.js';
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
export type { IssuerId } from './service/sandbox.js';
export type { Receipt } from './service/receipt.js';
export type { Guard, RequireOptions } from './http/routes/guard.js';
export type { StartOptions } from './http/request/start-input.js';
