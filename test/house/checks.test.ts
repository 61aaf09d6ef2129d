import { describe, expect, it } from '@jest/globals';
import {
  answeredElsewhere,
  listedChecks,
  namesIn,
  numberedTests,
  printedMap,
  refusingChecks,
} from './check-map.js';

const { now, later } = listedChecks();
const tested = new Set(numberedTests().map((name) => name.slice(0, 3)));

describe('docs/checks.md', () => {
  it('lists every number once', () => {
    const all = [...now, ...later];
    expect(all.filter((check, index) => all.indexOf(check) !== index)).toEqual([]);
    // K09 and L04 were never given out.
    const counts = { P: 12, H: 8, K: 19, S: 26, C: 16, B: 19, T: 21, J: 9, L: 21, M: 13 };
    const inFamily = (family: string) => all.filter((check) => check.startsWith(family)).length;
    expect(Object.fromEntries(Object.keys(counts).map((family) => [family, inFamily(family)]))).toEqual(
      counts,
    );
    expect(all).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count));
  });

  it('puts off the metadata of issuers and mdoc, and nothing else', () => {
    expect(later.filter((check) => !check.startsWith('M'))).toEqual(['K13']);
  });

  it('has a test for every number', () => {
    expect(now.filter((check) => !tested.has(check))).toEqual([]);
  });

  it('has every number that a test begins with and that the code refuses with', () => {
    expect([...tested, ...refusingChecks()].filter((check) => !now.includes(check))).toEqual([]);
    expect(refusingChecks().length).toBeGreaterThan(60);
  });
});

describe('a number that no refusal names', () => {
  const named = refusingChecks();
  const elsewhere = answeredElsewhere();

  it('says in docs/checks.md which number answers for it, or that it refuses nothing', () => {
    expect([...elsewhere.keys()]).toEqual(now.filter((check) => !named.includes(check)));
  });

  it('is answered for by numbers that refusals do name', () => {
    const answering = new Set([...elsewhere.values()].flat());
    expect([...answering].filter((check) => !named.includes(check))).toEqual([]);
    expect(answering.size).toBeGreaterThan(10);
    expect(elsewhere.get('B15')).toEqual(['B14']);
  });
});

describe('the map', () => {
  it('would notice a gap', () => {
    const source = `
      const rows = [['A01', 'x'], ['no number', 'y']];
      test.each(rows)('%s %s', () => {});
      test('A02 a', () => {});
      it.each([1, 2])('A03 %d', () => {});
      test(\`A04 \${name}\`, () => {});
      describe('A05 a group is no test', () => { test('neither is A06 in the middle', () => {}); });
      test.each([['A07', 1]])('%s inline', () => {});
      test(title, () => {});
      test.each(elsewhere)('%s', () => {});`;
    expect(namesIn('a.test.ts', source)).toEqual(['A01 %s', 'A02 a', 'A03 %d', 'A04 ${name}', 'A07 inline']);
  });

  it('has a line for every number', () => {
    expect(printedMap().split('\n')).toHaveLength(now.length + later.length);
  });
});
