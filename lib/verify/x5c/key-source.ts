import { hash } from 'node:crypto';
import type { CertificateTrust, Jwk } from '../../types/trust.js';
import { configInvalid, IdentityError } from '../../errors.js';
import { dateInSeconds, knownOptions } from '../../internal/former-validate.js';
import { enforce } from '../jose/check-failed.js';
import { type Runtime, secondsNow } from '../jose/clock-and-fetch.js';
import { type AnchorSet, type AnchorSource, readAnchors } from './anchors.js';
import { checkIssuerName, checkNamed } from './issuer-match.js';
import { type LeafRules, parseLeafRules, statusSigners } from './signer-policy.js';
import { checkValidity, type Path, pathsTo } from './path.js';
import { readX5c } from './chain.js';
import type { TrustedAnchors } from './trust-from-pem.js';
import { type IssuerKey, issuerKey } from '../keys/jwk.js';
import type { IssuerRules, KeySource } from '../keys/key-source.js';

type Use = 'credential' | 'statusList';

interface KnownChain {
  readonly paths: readonly [Path, ...Path[]];
  readonly key: IssuerKey;
}

const optionNames = [
  'anchors',
  'statusAnchors',
  'trustedList',
  'anchorsValidUntil',
  'leaf',
  'certificates',
  'description',
] as const satisfies readonly (keyof CertificateTrust | keyof TrustedAnchors)[];
const maxChains = 100;

/** Compiles the option `trustedList`, in a room that this one does not see. */
export type CompileLote = (
  value: unknown,
  where: string,
  leaf: LeafRules,
  interim: { readonly anchors: AnchorSet; readonly until: number } | undefined,
) => AnchorSource;

/** The mechanism `x5c`: the token brings a chain of certificates, which must end at an anchor. */
export function certificateChain(
  value: unknown,
  where: string,
  { iss, profile }: IssuerRules,
  compileLote: CompileLote,
): KeySource {
  const source = anchorSource(value, where, compileLote);
  /** Checked chains of the current anchors, by fingerprint: an issuer sends the same chain with every credential. */
  let known = { of: undefined as AnchorSet | undefined, chains: new Map<string, KnownChain>() };

  const check = (x5c: unknown, use: Use, anchors: AnchorSet): KnownChain => {
    if (known.of !== anchors) known = { of: anchors, chains: new Map() };
    const fingerprint = hash('sha256', `${use} ${JSON.stringify(x5c)}`);
    const found = known.chains.get(fingerprint);
    if (found !== undefined) return found;
    const chain = readX5c(x5c);
    const paths = pathsTo(chain, anchors[use], profile, use === 'credential' ? anchors.leaves : []);
    const jwk = chain[0].key.export({ format: 'jwk' }) as Jwk;
    const checked = { paths, key: issuerKey({ jwk, kid: undefined, alg: undefined }) };
    if (known.chains.size >= maxChains) known.chains.clear();
    known.chains.set(fingerprint, checked);
    return checked;
  };

  /** A chain that ends at no anchor may end at one of a newer list. */
  const checkOrRenew = async (x5c: unknown, use: Use, runtime: Runtime): Promise<KnownChain> => {
    const anchors = await source.current(runtime);
    try {
      return check(x5c, use, anchors);
    } catch (error) {
      if (!(error instanceof IdentityError) || error.check !== 'K03') throw error;
      const newer = await source.renew(runtime);
      if (newer === anchors) throw error;
      return check(x5c, use, newer);
    }
  };

  const find: KeySource = async ({ header, claims, use = 'credential' }, runtime) => {
    const { x5c } = header;
    enforce(
      'K15',
      x5c !== undefined,
      'The header has no x5c, and the issuer is trusted by its certificates.',
      'key_not_found',
    );
    const { paths, key } = await checkOrRenew(x5c, use, runtime);
    checkValidity(paths, secondsNow(runtime.clock));
    checkIssuerName(claims, iss);
    if (use === 'credential') checkNamed(claims, paths[0]);
    return key(header.alg);
  };
  return Object.assign(find, { generation: source.generation });
}

function anchorSource(value: unknown, where: string, compileLote: CompileLote): AnchorSource {
  const given = knownOptions(value, optionNames, where);
  const leaf = parseLeafRules(given.leaf ?? {}, `${where}.leaf`);
  const until = dateInSeconds(given.anchorsValidUntil, `${where}.anchorsValidUntil`);
  const configured = (): AnchorSet => {
    const credential = readAnchors(given.anchors, `${where}.anchors`, leaf);
    const apart = given.statusAnchors === undefined ? 'anchors' : 'statusAnchors';
    return {
      credential,
      statusList: readAnchors(given[apart], `${where}.${apart}`, statusSigners(leaf)),
      leaves: [],
    };
  };
  if (given.trustedList === undefined) {
    if (until !== undefined)
      throw configInvalid(`${where}.anchorsValidUntil is for anchors beside trustedList.`);
    const anchors = configured();
    return { current: async () => anchors, renew: async () => anchors, generation: () => anchors };
  }
  if ((given.anchors === undefined) !== (until === undefined)) {
    throw configInvalid(`${where}.anchors beside trustedList need anchorsValidUntil, the end of their use.`);
  }
  if (given.statusAnchors !== undefined && until === undefined) {
    throw configInvalid(`${where}.statusAnchors is for anchors: the list says who signs status lists.`);
  }
  const interim = until === undefined ? undefined : { anchors: configured(), until: until * 1000 };
  return compileLote(given.trustedList, `${where}.trustedList`, leaf, interim);
}
