import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfter } from '../support/close-after.js';
import { bundled } from '../support/program.js';
import { root } from '../support/root.js';
import { type App, runNode } from '../support/run-app.js';
import { apiKey, type Stub } from './scene.js';

/** Says at SIGUSR2 how many bytes are in use once all garbage is gone. */
const sayHeap = `data:text/javascript,process.on("SIGUSR2",async()=>{
  for(let n=0;n<5;n++){gc();await new Promise(setImmediate)}console.log("heap "+process.memoryUsage().heapUsed+".")})`;

/** Runs the bridge in a process of its own, built as its package.json does, with these variables and no others. */
export async function runBridge(env: Record<string, string>): Promise<App> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'bridge/package.json'), 'utf8')) as {
    scripts: { build: string };
  };
  const [, banner = ''] = /--banner:js="([^"]*)"/.exec(scripts.build) ?? [];
  const program = await bundled(join(root, 'bridge/main.ts'), banner);
  return await runNode(['--expose-gc', '--import', sayHeap, program], join(root, 'bridge'), env);
}

/** The variables of a bridge in front of a stub. */
export function variablesFor(stub: Stub, redirectUrl: string, more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'pidgate-bridge-'));
  closeAfter(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'accounts.json');
  writeFileSync(file, JSON.stringify([{ apiKey, redirectUrl }]));
  return { BRIDGE_VERIFIER: stub.name, BRIDGE_VERIFIER_URL: stub.url, BRIDGE_ACCOUNTS: file, ...more };
}

/** The bytes that a process has in use. */
export async function heapOf(app: App): Promise<number> {
  const before = app.said().length;
  app.signal('SIGUSR2');
  for (;;) {
    const [, bytes] = /heap (\d+)\./.exec(app.said().slice(before)) ?? [];
    if (bytes !== undefined) return Number(bytes);
    await new Promise(setImmediate);
  }
}
