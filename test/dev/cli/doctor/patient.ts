import { sendRequest } from '../../../../lib/dev/cli/doctor/http.js';
import type { DoctorCommand } from '../../../../lib/dev/cli/doctor/doctor-arguments.js';
import { examine, type DoctorReport } from '../../../../lib/dev/cli/doctor/doctor.js';
import { enter } from '../../../../lib/dev/cli/doctor/load-in-process.js';
import { settingsOf } from '../../../../lib/dev/cli/doctor/settings.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What the doctor says from outside. */
export async function seenFromOutside(
  { url }: { readonly url: string },
  env: Env = {},
  command: Partial<DoctorCommand> = {},
): Promise<DoctorReport> {
  return await examine(settingsOf({ url, json: false, ...command }, env), undefined);
}

/** What the doctor says with the app in its own process. */
export async function seenFromInside(
  { url }: { readonly url: string },
  env: Env = {},
): Promise<DoctorReport> {
  const inside = await enter(async (path, question) => await sendRequest(new URL(path, url), question));
  const whole = { PORT: new URL(url).port, ...env };
  return await examine(settingsOf({ entry: 'server.js', json: false }, whole, inside.config), inside);
}

export const idsOf = ({ findings }: DoctorReport): string[] => findings.map(({ id }) => id);
