import { expect } from '@jest/globals';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Expects that axe finds nothing on a page. It runs beside the page's policy, which allows no script of ours. */
export async function expectNoAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const run = Reflect.get(globalThis, 'axe') as { run(): Promise<{ violations: Finding[] }> };
    return (await run.run()).violations;
  });
  expect(found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}
