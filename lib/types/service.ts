import type { AttributeId, DerivedId } from './attributes.js';

/** What is asked of the service. */
export interface ProveRequest {
  readonly issuer: string;
  readonly revealed: readonly AttributeId[];
  readonly state: string;
  readonly same_device?: boolean;
  readonly derived?: Readonly<Partial<Record<DerivedId, string>>>;
}

/** The service, seen from the customer. Fails with an {@link IdentityError}. */
export interface ProveClient {
  /** Starts a verification; resolves to the address where the browser must go. */
  prove(request: ProveRequest): Promise<{ readonly redirectUrl: string }>;
}
