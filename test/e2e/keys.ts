import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

const most = 20;

/** Moves the focus with the Tab key to a control with this name, where the focus can be seen. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const focus = page.locator(':focus');
  for (let steps = 0; steps < most; steps += 1) {
    await page.keyboard.press('Tab');
    if ((await focus.count()) === 0 || (await focus.innerText()) !== name) continue;
    const outline = await focus.evaluate((element) => getComputedStyle(element).outlineStyle);
    expect([name, outline]).toEqual([name, 'solid']);
    return;
  }
  throw new Error(`${most} Tabs did not lead to "${name}"`);
}

/** Presses it, by keys alone. */
export async function enter(page: Page, name: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}
