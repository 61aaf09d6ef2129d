import { describe, expect, test } from '@jest/globals';
import type { Trust } from '../../lib/contracts/trust.js';
import { isSandbox, sandboxTrust } from '../../lib/protocol/sandbox.js';
import { createVerifiers } from '../../lib/presentation/verifiers.js';

const ours = sandboxTrust('http://127.0.0.1:4000');
const theirs: Trust['de-ausweis'] = JSON.parse(JSON.stringify({ ...ours, iss: 'https://pid.example' }));

describe('F53 the sandbox is recognised by the trust entry', () => {
  test.each<[what: string, trust: Trust, issuer: string, is: boolean]>([
    ['its own issuer', { 'xx-sandbox': ours }, 'xx-sandbox', true],
    ['a simulated issuer', { 'de-ausweis': ours }, 'de-ausweis', true],
    ['a changed copy', { 'de-ausweis': { ...ours, status: { mode: 'require' } } }, 'de-ausweis', true],
    ["the test environment's issuer, whoever signs", { 'xx-sandbox': theirs }, 'xx-sandbox', true],
    [
      'a verifier function for it',
      { 'xx-sandbox': async () => await new Promise(() => {}) },
      'xx-sandbox',
      true,
    ],
    ['a real issuer', { 'de-ausweis': theirs, 'xx-sandbox': ours }, 'de-ausweis', false],
    ['a function', { 'de-ausweis': async () => await new Promise(() => {}) }, 'de-ausweis', false],
    ['no entry', { 'xx-sandbox': ours }, 'de-ausweis', false],
    ['no own entry', Object.create({ 'de-ausweis': ours }), 'de-ausweis', false],
  ])('F53 %s', (_, trust, issuer, is) => {
    expect(isSandbox(trust, issuer)).toBe(is);
  });

  test('the mark is no option: the entry compiles', () => {
    expect([...createVerifiers({ 'de-ausweis': ours }).keys()]).toEqual(['de-ausweis']);
  });
});
