import type { HttpReply } from '../http.js';
import { type Check, jsonOf } from '../finding.js';

const errorOf = ({ body }: HttpReply): unknown => {
  const { error } = jsonOf(body);
  return typeof error === 'object' && error !== null ? (error as { error?: unknown }).error : undefined;
};

const serviceUnreachable: Check = ({ service, settings }) => {
  if (service === undefined || service.kind === 'reply') return undefined;
  return {
    id: 'service-unreachable',
    found: `The service at ${hostOf(settings.baseUrl)} cannot be asked: ${service.why}.`,
    cause: 'The address is wrong, a firewall or a proxy is in between, or the service is away.',
    mend: 'Compare IDENTITY_BASE_URL with the portal of the service, and ask it with curl from this machine.',
  };
};

const keyRefused: Check = ({ service }) => {
  if (service?.kind !== 'reply' || service.status !== 401 || errorOf(service) !== 'error_api_key') {
    return undefined;
  }
  return {
    id: 'key-refused',
    found: 'The service refuses the API key.',
    cause: 'The key is mistyped, was replaced, or belongs to another environment of the service.',
    mend: 'Copy the key of this environment from the portal into IDENTITY_API_KEY.',
  };
};

const accountRefused: Check = ({ service }) => {
  if (service?.kind !== 'reply' || errorOf(service) !== 'error_account') return undefined;
  return {
    id: 'account-refused',
    found: 'The service knows the key, and refuses the account.',
    cause: 'The account is not set up for the API, or is suspended.',
    mend: 'Ask the service to set up the account.',
  };
};

/** A body without a question is refused by the interface with 400 and a code. */
const serviceUnlike: Check = ({ service, settings }) => {
  if (service?.kind !== 'reply') return undefined;
  const code = errorOf(service);
  if (code === 'error_api_key' || code === 'error_account') return undefined;
  if (service.status === 400 && typeof code === 'string') return undefined;
  return {
    id: 'service-unlike-interface',
    found: `${hostOf(settings.baseUrl)} does not answer POST /prove as the interface says (status ${service.status}).`,
    cause:
      'The address is that of something else, has a path too many or too few, or the service has a fault.',
    mend: 'Compare IDENTITY_BASE_URL with the portal. It is the address without /prove.',
  };
};

/** Below the tolerance of a minute that tokens have; a header has whole seconds, and the way takes some. */
const maxSkewMs = 10;

const clockSkewed: Check = ({ service, now }) => {
  const date = service?.kind === 'reply' ? Date.parse(service.headers.date ?? '') : Number.NaN;
  const seconds = Math.round((now.getTime() - date) / 1000);
  if (!(Math.abs(seconds) > maxSkewMs)) return undefined;
  return {
    id: 'clock-skewed',
    found: `The clock of this machine is ${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'} the service's.`,
    cause: 'Time synchronisation (NTP) does not run here, or the machine slept.',
    mend: 'Turn time synchronisation on. Good presentations are refused as too old or too young.',
  };
};

function hostOf(baseUrl = ''): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'its address';
}

export const serviceChecks: readonly Check[] = [
  serviceUnreachable,
  keyRefused,
  accountRefused,
  serviceUnlike,
  clockSkewed,
];
