import { type AppRequest, ask, identityVerification, sdJwtVc } from '../../lib/index.js';
import type { CertificateTrust } from '../../lib/types/trust.js';

// Under exactOptionalPropertyTypes, as here, what lifts a restriction by being undefined does not compile (F91).

declare const rules: { readonly [name: string]: undefined };

const identity = identityVerification({ reveal: ['given_name'] });
// @ts-expect-error a rule that is not there lets everybody in
identity.require({ allow: rules['isAdult'] });
// @ts-expect-error the same of the rule of a question
ask({ reveal: ['given_name'], keep: () => 'kept', allow: rules['isAdult'] });
// @ts-expect-error the same of the flat form
identityVerification({ reveal: ['given_name'], keep: () => 'kept', allow: rules['isAdult'] });
// @ts-expect-error nor an age that is not there
identity.require({ maxAge: rules['maxAge'] });
// @ts-expect-error nor a log-in that is not there
identityVerification({ reveal: ['given_name'], subject: rules['userId'] });
// @ts-expect-error nor a time that is not there
identityVerification({ reveal: ['given_name'], keepFor: rules['keepFor'] });
// @ts-expect-error the same
ask({ reveal: ['given_name'], keepFor: rules['keepFor'] });

const keys = { jwksUri: 'https://issuer.example/jwks.json' };
const keyBinding = { nonce: 'state-sha256', audience: 'x509_san_dns:shop.example' } as const;
// @ts-expect-error the same of a trust entry
sdJwtVc({ keys, vct: ['urn:eudi:pid:1'], keyBinding, iss: rules['iss'] });
// @ts-expect-error the same
sdJwtVc({ keys, vct: ['urn:eudi:pid:1'], keyBinding: { ...keyBinding, maxAge: rules['maxAge'] } });
// @ts-expect-error the same
export const byCertificate: CertificateTrust = { anchors: [], leaf: { policies: rules['policies'] } };

// What may be left out is left out so.
declare const maxAge: '30d' | undefined;
identity.require({ ...(maxAge && { maxAge }) });

// Everywhere else undefined is absent.
declare const purpose: string | undefined;
declare const claims: undefined;
identityVerification({ reveal: ['given_name'], purpose, limits: { hookTimeout: undefined } });
identity.require({ reason: purpose, question: undefined });
sdJwtVc({ keys, vct: ['urn:eudi:pid:1'], keyBinding: { ...keyBinding, tolerance: undefined }, claims });

declare const req: AppRequest;
// @ts-expect-error possibly undefined where no guard stands
export const { kept } = identity.of(req);
