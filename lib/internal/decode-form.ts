import { isUtf8 } from 'node:buffer';
import { IdentityError } from '../errors.js';

const maxParameters = 16;

/** Decodes `application/x-www-form-urlencoded`: UTF-8 only, no broken escapes, no repeated names. */
export function decodeForm(bytes: Buffer): Record<string, string> {
  if (!isUtf8(bytes)) throw malformedError('The body is not UTF-8.');
  const pairs = bytes.length === 0 ? [] : bytes.toString().split('&', maxParameters + 1);
  if (pairs.length > maxParameters)
    throw malformedError(`The body has more than ${maxParameters} parameters.`);
  const form = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = decodePart(at < 0 ? pair : pair.slice(0, at));
    if (Object.hasOwn(form, name)) throw malformedError('A parameter of the body is repeated.');
    form[name] = at < 0 ? '' : decodePart(pair.slice(at + 1));
  }
  return form;
}

/** decodeURIComponent refuses all that this must refuse: broken escapes, and escaped bytes that are not UTF-8. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.split('+').join(' '));
  } catch {
    throw malformedError('The body has a broken percent-escape.');
  }
}

const malformedError = (message: string): IdentityError =>
  new IdentityError('callback_malformed', { message });
