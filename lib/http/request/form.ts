import bodyParser from 'body-parser';
import type { Response } from 'express';
import { IdentityError, kitError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { mediaType } from '../../internal/fetch-bounded.js';
import { decodeForm } from '../../internal/decode-form.js';

/** How long a body may take to arrive. */
const maxMs = 10_000;

/**
 * Returns the parameters of an urlencoded body. If nobody has read it before, the bytes are read here and decoded
 * strictly. What a parser of the app has left is returned as it is, for the caller to check. The limit holds for both.
 */
export async function readForm(req: AppRequest, res: Response, limit: number, ms = maxMs): Promise<unknown> {
  checkMediaType(req);
  if (Number(req.headers['content-length']) > limit) {
    res.set('Connection', 'close'); // the rest of the body is not waited for
    throw new IdentityError('callback_too_large');
  }
  if (!req.readableDidRead) return decodeForm(await readBytes(req, res, limit, ms));
  const { body } = req as { body?: unknown };
  if (lengthOf(body) > limit) throw new IdentityError('callback_too_large');
  if (Buffer.isBuffer(body)) return decodeForm(body);
  if (typeof body === 'string') return decodeForm(Buffer.from(body));
  if (typeof body === 'object' && body !== null) return body;
  throw consumed(req);
}

/** Returns the bytes of what a parser has left, as far as the caller reads them: nested values are refused anyway. */
function lengthOf(body: unknown): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (Buffer.isBuffer(body)) return body.length;
  const values = Object.entries(body ?? {}).flat();
  return values.reduce<number>((sum, it) => sum + (typeof it === 'string' ? Buffer.byteLength(it) : 0), 0);
}

function checkMediaType(req: AppRequest): void {
  const type = req.headers['content-type'];
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type ?? '')?.[1]?.toLowerCase();
  const encoding = req.headers['content-encoding'] ?? 'identity';
  const plain = mediaType(type) === 'application/x-www-form-urlencoded' && encoding === 'identity';
  if (plain && (charset === undefined || charset === 'utf-8')) return;
  throw new IdentityError('media_type_unsupported');
}

async function readBytes(req: AppRequest, res: Response, limit: number, ms: number): Promise<Buffer> {
  const parse = bodyParser.raw({ type: () => true, limit, inflate: false });
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      res.set('Connection', 'close'); // a connection that stays open reads the rest of the body
      reject(incomplete());
    }, ms);
    parse(req, res, (fault?: unknown) => {
      clearTimeout(timer);
      if (fault === undefined) resolve();
      else reject(toIdentityError(fault, req));
    });
  });
  const { body } = req as { body?: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Only the status of a body-parser error is read, because its message may quote the body. */
function toIdentityError(fault: unknown, req: AppRequest): IdentityError {
  const { status } = fault as { status?: unknown };
  if (status === 413) return new IdentityError('callback_too_large');
  if (status === 500) return consumed(req); // the stream was given an encoding, or cannot be read any more
  return incomplete();
}

function incomplete(): IdentityError {
  return new IdentityError('callback_malformed', { message: 'The body could not be read to its end.' });
}

function consumed({ baseUrl }: AppRequest): IdentityError {
  return kitError('body_consumed', {
    message:
      `Something read the request body before the kit and left nothing of it: move the line app.use('${baseUrl}', …) ` +
      'of the kit above the line that mounts that body parser, proxy or logger.',
  });
}
