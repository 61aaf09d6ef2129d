import bodyParser from 'body-parser';
import type { Response } from 'express';
import { IdentityError } from '../errors.js';
import type { AppRequest } from '../options.js';
import { mediaType } from '../protocol/fetch-bounded.js';

const mostParameters = 16;

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
    throw consumed();
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
      else reject(toIdentityError(fault));
    });
  });
  const { body } = req as { body?: unknown };
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** body-parser names the status of what it refuses; its words may quote the body. */
function toIdentityError(fault: unknown): IdentityError {
  const { status } = (fault ?? {}) as { status?: unknown };
  if (status === 413) return new IdentityError('callback_too_large');
  if (status === 415) return new IdentityError('media_type_unsupported');
  return malformed('The body could not be read to its end.');
}

/** Decodes `application/x-www-form-urlencoded`: UTF-8 only, no broken escapes, no name twice. */
export function decodeForm(bytes: Buffer): Record<string, string> {
  const pairs = bytes.length === 0 ? [] : bytes.toString('latin1').split('&', mostParameters + 1);
  if (pairs.length > mostParameters) throw malformed(`The body has more than ${mostParameters} parameters.`);
  const form = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decodePart(at < 0 ? pair : pair.slice(0, at));
    if (Object.hasOwn(form, name)) throw malformed('A parameter of the body is repeated.');
    form[name] = at < 0 ? '' : decodePart(pair.slice(at + 1));
  }
  return form;
}

function decodePart(text: string): string {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) throw malformed('The body has a broken percent-escape.');
  const spaced = text.replaceAll('+', ' ');
  const bytes = spaced.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    throw malformed('The body is not UTF-8.');
  }
}

function malformed(message: string): IdentityError {
  return new IdentityError('callback_malformed', { message });
}

function consumed(): IdentityError {
  return new IdentityError('body_consumed', {
    message:
      'Something read the request body before the kit and left nothing of it: move app.use(path, identity) above ' +
      'the line that mounts that body parser or proxy.',
  });
}
