import { findingsIn } from './findings/index.js';
import type { Facts } from './observations.js';
import { gather } from './observe.js';
import type { Inside } from './load-in-process.js';
import type { DoctorReport } from './report.js';
import type { Settings } from './settings.js';

/** An app in this process is asked at its own port, as the proxy in front of it would ask. */
export async function examine(settings: Settings, loaded: Inside | undefined): Promise<DoctorReport> {
  const { host, protocol } = settings.appUrl;
  const forwarded = loaded === undefined ? {} : { host, 'x-forwarded-proto': protocol.slice(0, -1) };
  const facts = await gather(settings, forwarded, loaded);
  const address = settings.appUrl.href.replace(/\/$/, '');
  return { address, findings: findingsIn(facts), notChecked: notCheckedIn(facts) };
}

function notCheckedIn({ page, service, inside }: Facts): string[] {
  return [
    ...(page.kind === 'reply' && [301, 302, 303, 307, 308, 401, 403].includes(page.status)
      ? [
          `appUrl and the start page: something before the kit answers it with ${page.status}, such as a log-in`,
        ]
      : []),
    ...(service === undefined ? ['the service and its key: set IDENTITY_BASE_URL and IDENTITY_API_KEY'] : []),
    ...(inside === undefined
      ? ['session cookie, trust proxy, trust entries and stores: name the file that starts the app, --entry']
      : []),
    ...(inside !== undefined && inside.config === undefined
      ? ['trust entries and flow store: the router was not found in the app']
      : []),
    ...(inside !== undefined && inside.session === undefined
      ? ['session cookie and session store: the app has answered before the session middleware']
      : []),
  ];
}
