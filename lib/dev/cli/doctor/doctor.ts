import type { Terminal } from '../terminal.js';
import type { DoctorCommand } from './doctor-arguments.js';
import { examine } from './examine.js';
import { loadApp } from './load-app.js';
import { asJson, asText } from './report.js';
import { settingsOf } from './settings.js';

/** Examines an app and its environment. The exit code is 1 if anything was found. */
export async function doctor(command: DoctorCommand, terminal: Terminal): Promise<number> {
  const loaded = command.entry === undefined ? undefined : await loadApp(command.entry, terminal);
  const report = await examine(settingsOf(command, terminal.env, loaded?.config), loaded);
  terminal.stdout.write(command.json ? asJson(report) : asText(report, terminal));
  return report.findings.length === 0 ? 0 : 1;
}
