import { IdentityError } from '../../errors.js';
import { sha256 } from '../../internal/sha256.js';
import { secureUrl } from '../../internal/urls.js';
import type { Jwk } from '../../types/trust.js';
import { type Runtime, secondsNow } from '../jose/clock.js';
import type { JsonObject } from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { type IssuerKey, issuerKey } from '../keys/jwk.js';
import type { IssuerRules, KeySource, KeyUse } from '../keys/key-source.js';
import type { AnchorSet, AnchorSource } from './anchors.js';
import { alternativeNames } from './certificate.js';
import { checkValidity, type Path, pathsTo, readX5c } from './path.js';

const maxChains = 100;

/** A chain that passed every check but those that depend on the time: of its paths, those that are valid count. */
interface CheckedChain {
  readonly paths: ReturnType<typeof pathsTo>;
  readonly key: IssuerKey;
}

/** The mechanism `x5c`: the token brings a chain of certificates, which must end at an anchor. */
export function certificateChain(source: AnchorSource, { iss, profile }: IssuerRules): KeySource {
  /** Checked chains of the current anchors, by fingerprint: an issuer sends the same chain with every credential. */
  let checkedWith: AnchorSet | undefined;
  const checked = new Map<string, CheckedChain>();

  const check = (x5c: unknown, use: KeyUse, anchors: AnchorSet): CheckedChain => {
    if (checkedWith !== anchors) checked.clear();
    checkedWith = anchors;
    const fingerprint = sha256(`${use} ${JSON.stringify(x5c)}`);
    const known = checked.get(fingerprint);
    if (known !== undefined) return known;
    const certificates = readX5c(x5c);
    const paths = pathsTo(certificates, anchors[use], profile, use === 'credential' ? anchors.leaves : []);
    const [{ key }] = certificates;
    const jwk = key.export({ format: 'jwk' }) as Jwk;
    const chain = { paths, key: issuerKey({ jwk, kid: undefined, alg: undefined }, key) };
    if (checked.size >= maxChains) checked.clear();
    checked.set(fingerprint, chain);
    return chain;
  };

  /** A chain that ends at no anchor may end at one of a newer list. */
  const checkOrRenew = async (x5c: unknown, use: KeyUse, runtime: Runtime): Promise<CheckedChain> => {
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

  const findKey: KeySource = async ({ header: { x5c, alg }, claims, use = 'credential' }, runtime) => {
    const missing = 'The header has no x5c, and the issuer is trusted by its certificates.';
    enforce('K15', x5c !== undefined, missing);
    const { paths, key } = await checkOrRenew(x5c, use, runtime);
    checkValidity(paths, secondsNow(runtime.clock));
    if (use === 'credential') {
      checkIssuer(claims, iss);
      checkIssuerInSan(claims, paths[0]);
    } // a list is bound by its address, its sub and its anchors: its iss is not the credential's
    return key(alg);
  };
  return Object.assign(findKey, { generation: source.generation });
}

/** Without this, everyone below the anchor could sign in the name of another issuer (K10). */
function checkIssuer({ iss }: JsonObject, allowed: readonly string[] | undefined): void {
  if (iss === undefined) return;
  const unexpected = 'The credential has an iss, and the trust entry allows none: name it there as iss.';
  enforce('K10', allowed !== undefined, unexpected);
  const isAllowed = typeof iss === 'string' && allowed.includes(iss);
  const other = 'The credential has an iss that these anchors may not vouch for: allowed is';
  enforce('K10', isAllowed, `${other} ${allowed.map((one) => `\`${one}\``).join(', ')}.`);
}

/** If the trust entry asks for it, an alternative name of the leaf must be `iss`, or the host of it (K10). */
function checkIssuerInSan({ iss }: JsonObject, { certificates: [leaf], anchors }: Path): void {
  if (!anchors.some((anchor) => anchor.leaf.requireIssuerInSan)) return;
  const host = secureUrl(iss, false)?.hostname;
  const { uris, dnsNames } = alternativeNames(leaf);
  const isNamed = uris.some((uri) => uri === iss) || dnsNames.some((name) => name.toLowerCase() === host);
  enforce('K10', isNamed, 'x5c[0] does not have the iss of the credential among its alternative names.');
}
