import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../internal/sha256.js';

export type ClaimPath = readonly (string | null)[];

/** A claim that its holder may show or keep back, and where it is in the credential. */
interface Disclosure {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Claims of which only digests are left, and what opens them. */
export interface HiddenClaims {
  readonly _sd: readonly string[];
  readonly disclosures: readonly Disclosure[];
}

/** Hides every claim; with `deep`, also every member and every element inside of them (RFC 9901, section 4.2.6). */
export function hideClaims(claims: Readonly<Record<string, unknown>>, deep: boolean): HiddenClaims {
  const disclosures: Disclosure[] = [];
  const { _sd } = hideMembers(claims, []);
  return { _sd, disclosures };

  function hideMembers(object: Readonly<Record<string, unknown>>, at: Disclosure['path']): { _sd: string[] } {
    const digests = Object.entries(object).map(([name, value]) => {
      const path = [...at, name];
      return add(path, [salt(), name, deep ? hideInside(value, path) : value]);
    });
    return { _sd: digests.toSorted() };
  }

  function hideInside(value: unknown, path: Disclosure['path']): unknown {
    if (Array.isArray(value)) {
      return value.map((element: unknown, index) => ({ '...': add([...path, index], [salt(), element]) }));
    }
    if (typeof value !== 'object' || value === null) return value;
    return hideMembers(value as Record<string, unknown>, path);
  }

  function add(path: Disclosure['path'], content: readonly unknown[]): string {
    const text = Buffer.from(JSON.stringify(content)).toString('base64url');
    disclosures.push({ path, text });
    return sha256(text);
  }
}

/** The Disclosures that show what is asked: the claims themselves, what they are in, and what is in them. */
export function disclosuresFor(
  { disclosures }: Pick<HiddenClaims, 'disclosures'>,
  asked: readonly ClaimPath[],
): string[] {
  return disclosures
    .filter(({ path }) => asked.some((wanted) => path.every((part, at) => fits(part, wanted, at))))
    .map(({ text }) => text);
}

/** Past the end of what is asked, everything is part of it. */
function fits(part: string | number, wanted: ClaimPath, at: number): boolean {
  const name = wanted[at];
  return name === undefined || (name === null ? typeof part === 'number' : name === part);
}

function salt(): string {
  return randomBytes(16).toString('base64url');
}
