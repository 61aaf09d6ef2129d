import bodyParser from 'body-parser';
import type { Response } from 'express';
import { IdentityError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { mediaType } from '../../safe/fetch-bounded.js';
import { decodeForm } from './form-parameters.js';

/**
 * The parameters of an urlencoded body. Where nobody has read it before, the bytes are read here and decoded
 * strictly; what a parser of the app has left is taken as it is, for the caller to judge.
 */
export async function readForm(req: AppRequest, res: Response, limit: number): Promise<unknown> {
  checkMediaType(req);
  const { body } = req as { body?: unknown };
  if (req.readableDidRead) {
    if (Buffer.isBuffer(body)) return decodeForm(body);
    if (typeof body === 'string') return decodeForm(Buffer.from(body));
    if (typeof body === 'object' && body !== null && Object.keys(body).length > 0) return body;
    throw consumed(req);
  }
  const bytes = await readBytes(req, res, limit);
  return decodeForm(bytes);
}

function checkMediaType(req: AppRequest): void {
  const type = req.headers['content-type'];
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type ?? '')?.[1]?.toLowerCase();
  const encoding = req.headers['content-encoding'] ?? 'identity';
  const plain = mediaType(type) === 'application/x-www-form-urlencoded' && encoding === 'identity';
  if (plain && (charset === undefined || charset === 'utf-8')) return;
  throw new IdentityError('media_type_unsupported');
}

async function readBytes(req: AppRequest, res: Response, limit: number): Promise<Buffer> {
  await new Promise<void>((resolve, reject) => {
    bodyParser.raw({ type: () => true, limit, inflate: false })(req, res, (fault?: unknown) => {
      if (fault === undefined) resolve();
      else reject(toIdentityError(fault, req));
    });
  });
  const { body } = req as { body?: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** body-parser names the status of what it refuses; its words may quote the body. */
function toIdentityError(fault: unknown, req: AppRequest): IdentityError {
  const { status } = fault as { status?: unknown };
  if (status === 413) return new IdentityError('callback_too_large');
  if (status === 500) return consumed(req); // the stream was given an encoding, or cannot be read any more
  return new IdentityError('callback_malformed', { message: 'The body could not be read to its end.' });
}

function consumed({ baseUrl }: AppRequest): IdentityError {
  return new IdentityError('body_consumed', {
    message:
      `Something read the request body before the kit and left nothing of it: move the line app.use('${baseUrl}', …) ` +
      'of the kit above the line that mounts that body parser, proxy or logger.',
  });
}
