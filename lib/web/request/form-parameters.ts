import { IdentityError } from '../../errors.js';

const mostParameters = 16;

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
