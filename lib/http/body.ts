import bodyParser from 'body-parser';
import type { Response } from 'express';
import { IdentityError, kitError } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import { decodeForm } from '../internal/decode-form.js';
import { mediaType } from '../internal/http.js';
import type { OpenBodies } from '../internal/open-bodies.js';

const maxBodyMs = 10_000;

/** How much of a body is read, and what it counts among. */
export interface BodyLimits {
  readonly bytes: number;
  readonly open: OpenBodies;
}

/** Returns the parameters of an urlencoded body, or what a parser of the app has made of it, for the caller to check. */
export async function readForm(req: AppRequest, res: Response, limits: BodyLimits): Promise<unknown> {
  const body = await readBody(req, res, 'application/x-www-form-urlencoded', limits);
  return Buffer.isBuffer(body) ? decodeForm(body) : body;
}

/**
 * Returns the bytes of a body of that media type, in UTF-8. What a parser of the app has left is returned as it is. The
 * limit holds for both.
 */
export async function readBody(
  req: AppRequest,
  res: Response,
  accepted: string,
  limits: BodyLimits,
): Promise<unknown> {
  const { bytes: limit } = limits;
  checkMediaType(req, accepted);
  if (Number(req.headers['content-length']) > limit) {
    res.set('Connection', 'close'); // do not wait for the rest of the body
    throw new IdentityError('callback_too_large');
  }
  if (!req.readableDidRead) return await readBytes(req, res, limits);
  const { body } = req as { body?: unknown };
  if (lengthOf(body) > limit) throw new IdentityError('callback_too_large');
  if (typeof body === 'string') return Buffer.from(body);
  if (typeof body === 'object' && body !== null) return body;
  throw consumedError(req);
}

/** Returns the bytes of what a parser has left, as far as the caller reads them. A parser of the app bounds the rest. */
function lengthOf(body: unknown): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (Buffer.isBuffer(body)) return body.length;
  const texts = Object.entries(body ?? {})
    .flat()
    .filter((part) => typeof part === 'string');
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function checkMediaType(req: AppRequest, accepted: string): void {
  const type = req.headers['content-type'];
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(type ?? '')?.[1]?.toLowerCase();
  const encoding = req.headers['content-encoding'] ?? 'identity';
  const isPlain = mediaType(type) === accepted && encoding === 'identity';
  if (isPlain && (charset === undefined || charset === 'utf-8')) return;
  throw kitError('media_type_unsupported', { message: `The body must be ${accepted} in UTF-8.` });
}

async function readBytes(
  req: AppRequest,
  res: Response,
  { bytes: limit, open }: BodyLimits,
): Promise<Buffer> {
  const parse = bodyParser.raw({ type: () => true, limit, inflate: false });
  let stop = (): void => undefined;
  const read = new Promise<void>((resolve, reject) => {
    const giveUp = (status: number): void => {
      res.set('Connection', 'close'); // a connection that stays open reads the rest of the body
      reject(incompleteError(status));
    };
    const timer = setTimeout(giveUp, maxBodyMs, 400);
    const counted = open.add(() => giveUp(408));
    let length = 0;
    const count = (piece: Buffer): void => {
      length += piece.length;
      if (length <= limit) counted.count(piece);
      else counted.end(); // the parser keeps nothing of it any more
    };
    stop = () => {
      clearTimeout(timer);
      req.off('data', count);
      counted.end();
    };
    parse(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyError(error, req));
    });
    if (req.readableFlowing) req.on('data', count); // where the parser reads nothing, nobody does
  });
  await read.finally(stop);
  const { body } = req as { body?: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** Only the status of a body-parser error is read, because its message may quote the body. */
function bodyError(error: unknown, req: AppRequest): IdentityError {
  const { status } = error as { status?: unknown };
  if (status === 413) return new IdentityError('callback_too_large');
  if (status === 500) return consumedError(req); // an encoding was set on the stream, or it cannot be read any more
  return incompleteError();
}

function consumedError({ baseUrl }: AppRequest): IdentityError {
  return kitError('body_consumed', {
    message:
      'Another middleware consumed the request body before the kit could read it: move the line ' +
      `app.use('${baseUrl}', …) of the kit above the line that mounts that body parser, proxy or logger.`,
  });
}

const incompleteError = (status = 400): IdentityError =>
  new IdentityError('callback_malformed', { status, message: 'The body could not be read completely.' });
