import { KeyObject, sign, verify } from 'node:crypto';
import { kitError } from '../../errors.js';
import { TimeoutError, withTimeout } from '../../internal/timeouts.js';
import type { Access } from '../access.js';

const place = 'Option wallets: key';

/**
 * Returns the ES256 signature of these bytes, as JOSE has it. What a function of the app returns is verified before it goes
 * out: a wallet that meets a wrong one says nothing.
 */
export async function signatureOf(
  data: Buffer,
  { key, publicKey }: Access,
  timeout: number,
): Promise<Buffer> {
  if (key instanceof KeyObject) return sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' });
  const signature = await withTimeout(timeout, () => key(data)).catch((cause: unknown) => {
    throw cause instanceof TimeoutError
      ? kitError('hook_timeout', { message: `${place}: the function took too long.` })
      : kitError('hook_failed', { message: `${place}: the function failed.`, cause });
  });
  const bytes = signature instanceof Uint8Array ? Buffer.from(signature) : Buffer.alloc(0);
  const raw = [bytes, rawOf(bytes)].find((one) => one?.length === 64 && isSignature(one));
  if (raw !== undefined) return raw;
  throw kitError('hook_failed', {
    message: `${place}: the function returned no signature of this certificate's key (ES256, 64 bytes or DER).`,
  });

  function isSignature(bytes: Buffer): boolean {
    return verify('sha256', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
  }
}

/** The two numbers of a DER signature, 32 bytes each (RFC 3279, section 2.2.3). */
function rawOf(der: Buffer): Buffer | undefined {
  const [tag, length, ...content] = der;
  if (tag !== 0x30 || length !== content.length) return undefined;
  const [r, rest] = integerIn(content);
  const [s, end] = integerIn(rest);
  return r && s && end.length === 0 ? Buffer.concat([r, s]) : undefined;
}

function integerIn([tag, length = 0, ...content]: readonly number[]): [Buffer | undefined, number[]] {
  const bytes = content.slice(0, length);
  while (bytes[0] === 0) bytes.shift();
  const isSound = tag === 0x02 && bytes.length <= 32 && content.length >= length;
  const padded = Buffer.from([...Array.from({ length: 32 - bytes.length }, () => 0), ...bytes]);
  return [isSound ? padded : undefined, content.slice(length)];
}
