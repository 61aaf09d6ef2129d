import { CliError } from '../cli-error.js';

/** What the command line asks of the doctor. */
export interface DoctorCommand {
  readonly url?: string;
  readonly path?: string;
  /** A guarded page, whose data may be served elsewhere too. */
  readonly page?: string;
  readonly entry?: string;
  readonly json: boolean;
}

export const doctorOptions = {
  url: { type: 'string' },
  path: { type: 'string' },
  page: { type: 'string' },
  entry: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = Readonly<Record<string, unknown>>;

export function readDoctor(
  { url, path, page, entry, json }: Values,
  [extra]: readonly string[],
): { readonly name: 'doctor' } & DoctorCommand {
  if (extra !== undefined) throw new CliError(`Unexpected argument "${extra}".`, 2);
  if (typeof url === 'string' && !isWeb(url)) {
    throw new CliError('--url needs the http or https address of your app, such as https://shop.example.', 2);
  }
  if (typeof path === 'string' && !/^(\/[A-Za-z0-9_.~-]+)+$/.test(path)) {
    throw new CliError('--path needs the path where the router is mounted, such as /identity.', 2);
  }
  if (typeof page === 'string' && !/^\/[A-Za-z0-9_.~/?=&%-]+$/.test(page)) {
    throw new CliError(
      '--page needs the path of a page that only verified people may see, such as /club.',
      2,
    );
  }
  return {
    name: 'doctor',
    json: json === true,
    ...(typeof url === 'string' && { url }),
    ...(typeof path === 'string' && { path }),
    ...(typeof page === 'string' && { page }),
    ...(typeof entry === 'string' && { entry }),
  };
}

function isWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
