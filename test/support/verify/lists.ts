import { createLoTE, service, signLoTE, trustedEntity } from '@owf/eudi-lote';
import type { CertificateTrust, Trust } from '../../../lib/types/trust.js';
import type { VerifierSettings } from '../../../lib/verify/verify-presentation.js';
import { type Authority, certify, pemOf, x5cOf } from './certificates.js';
import { encode, now, signJws } from './issuer.js';
import { type ListMint, fetchList, listToken } from './servers.js';
import { type Members, given, inFull, startVerifier, trustIn } from './verdicts.js';
import { good, root, signedWith } from './chains.js';

/** The one who signs the list of the Union: a CA, and the certificate that is pinned. */
export const operator = certify({ subject: 'List Operator CA', isCa: true });
export const signer = certify({ subject: 'List Signer', issuer: operator, notAfter: 300 * 86_400 });

export const url = 'https://lists.example/pid.jwt';
export const day = 86_400_000;
export const types = 'http://uri.etsi.org/19602/SvcType/';
const isoIn = (ms: number) => new Date(now.getTime() + ms).toISOString();

/** A service of a provider. */
export interface ServicePlan {
  readonly type?: string;
  readonly certificates?: readonly Authority[];
  /** More members of its ServiceInformation. */
  readonly more?: object;
  readonly history?: readonly unknown[];
}

/** A provider of PIDs. */
export interface EntityPlan {
  readonly name?: string;
  readonly tradeName?: string;
  readonly country?: string;
  readonly services?: readonly ServicePlan[];
}

/** One provider whose certificates issue PIDs. */
export const entitiesOf = (...certificates: readonly Authority[]): EntityPlan[] => [
  { services: [{ certificates }] },
];

/** What a list says, each part of it good unless the caller changes it. */
export interface ListPlan {
  readonly sequence?: unknown;
  /** Milliseconds from now. */
  readonly issued?: number;
  readonly nextUpdate?: number;
  readonly entities?: readonly EntityPlan[];
  /** Replaces members of ListAndSchemeInformation. */
  readonly scheme?: object;
}

function entityOf({ name = 'Bundesdruckerei', tradeName, country = 'DE', services = [{}] }: EntityPlan) {
  const builder = trustedEntity()
    .name(name)
    .postalAddress({ StreetAddress: 'Street 1', Locality: 'City', PostalCode: '1', Country: country })
    .email('pid@provider.example')
    .infoUri('http://uri.etsi.org/19602/ListOfTrustedEntities/PIDProvider/DE');
  if (tradeName !== undefined) builder.tradeName(tradeName);
  for (const { type = `${types}PID/Issuance`, certificates = [root] } of services) {
    const made = service().name('PID').type(type);
    for (const text of x5cOf(...certificates)) made.addCertificate(text);
    builder.addService(made.build());
  }
  const entity = builder.build();
  // What a test changes need not be valid.
  const changed = entity.TrustedEntityServices.map(({ ServiceInformation }, index) => {
    const { more = {}, history } = services[index] ?? {};
    return {
      ServiceInformation: { ...ServiceInformation, ...more },
      ...(history && { ServiceHistory: history }),
    };
  });
  return { ...entity, TrustedEntityServices: changed };
}

/** The content of a list. */
export function listOf({
  sequence = 7,
  issued = -day,
  nextUpdate = 90 * day,
  entities = [{}],
  scheme = {},
}: ListPlan = {}) {
  const { LoTE } = createLoTE(
    {
      LoTEType: 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList',
      SchemeOperatorName: [{ lang: 'en', value: 'European Commission' }],
      SchemeTerritory: 'EU',
      ListIssueDateTime: isoIn(issued),
      NextUpdate: isoIn(nextUpdate),
    },
    entities.map(entityOf) as never,
  );
  const information = { ...LoTE.ListAndSchemeInformation, LoTESequenceNumber: sequence, ...scheme };
  return { LoTE: { ...LoTE, ListAndSchemeInformation: information } };
}

/** A list signed as @owf/eudi-lote signs it. */
export async function signed(plan: ListPlan = {}, by: Authority = signer): Promise<string> {
  const { jws } = await signLoTE({
    lote: listOf(plan) as never,
    keyId: 'list-signer',
    certificates: [pemOf(by)],
    signer: async (input: string) => await Promise.resolve(resign(input, by)),
  });
  return jws;
}

/** The signature over this input, in base64url. */
function resign(input: string, by: Authority): string {
  const [header = '', payload = ''] = input.split('.');
  const decoded = [header, payload].map((part) => Buffer.from(part, 'base64url').toString());
  return signJws(decoded[0], decoded[1], by.keys).split('.')[2] ?? '';
}

export const goodHeader = { alg: 'ES256', typ: 'trustlist+jwt', x5c: x5cOf(signer) };

/** A list under any header, signed all the same. */
export function signedUnder(header: unknown, payload: unknown = listOf(), by: Authority = signer): string {
  return signJws(header, payload, by.keys);
}

export const unsigned = (header: unknown, payload: unknown = listOf()) =>
  `${encode(header)}.${encode(payload)}.AAAA`;

/** An entry whose anchors come from the list. */
export function trusting(lote: object = {}, x5c: object = {}, change: object = {}): Trust {
  const list = given({ url, signers: [pemOf(signer)], territories: ['DE'], ...lote });
  return trustIn({
    keys: { x5c: { trustedList: list, ...x5c } as CertificateTrust },
    iss: 'https://issuer.example',
    ...change,
  });
}

/** A process: a verifier with a clock of its own, and the list that is published to it. */
export function startProcess(trust: Trust = trusting(), settings: VerifierSettings = {}) {
  type List = string | (() => Response | Promise<Response>);
  let published: { list: List; headers: Record<string, string> } = { list: '', headers: {} };
  const requests: string[] = [];
  const fetch = async (address: unknown): Promise<Response> => {
    requests.push(String(address));
    const { list, headers } = published;
    return typeof list === 'string' ? new Response(list, { headers }) : await list();
  };
  const { clock, verdict } = startVerifier(trust, { fetch, ...settings });
  return {
    requests,
    /** `valid`; check and reason for which the list is not used; or the code, the check and the reason. */
    judge: async (chain: readonly Authority[] = good, payload: Members = {}): Promise<string> =>
      inFull(await verdict({ ...signedWith(chain), payload })).replace(unusable, '$1'),
    publish: (list: List, headers: Record<string, string> = {}) => {
      published = { list, headers };
    },
    /** Lets milliseconds pass, or sets the clock back. */
    wait: (ms: number) => clock.forward(ms),
  };
}

const unusable = /^keys_unavailable (\w+ )The list of trusted entities cannot be used: /;

/** What becomes of a good presentation below this chain under this list. */
export async function judgeUnder(
  list: string,
  trust: Trust = trusting(),
  chain: readonly Authority[] = good,
) {
  const { judge, publish } = startProcess(trust);
  publish(list);
  return await judge(chain);
}

/** The same of a presentation whose status is in a list like this, which its own certificate signs. */
export async function judgeUnderStatus(
  list: string,
  statusList: ListMint,
  chain: readonly Authority[] = good,
  trust: Trust = trusting(),
): Promise<string> {
  const uri = 'https://issuer.example/status';
  const { judge } = startProcess(trust, { fetch: fetchList(listToken(uri, statusList), uri, () => list) });
  return await judge(chain, { status: { status_list: { idx: 0, uri } } });
}
