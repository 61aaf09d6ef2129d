import type { Mint } from '../../support/verify/issuer.js';

/** One token each, in which a part holds this text or these bytes in place of its good JSON. */
export function inEachPart(bad: (good: unknown) => unknown): [part: string, token: Mint][] {
  return [
    ['issuer header', { header: bad }],
    ['payload', { payload: bad }],
    ['key binding header', { binding: { header: bad } }],
    ['key binding payload', { binding: { payload: bad } }],
  ];
}
