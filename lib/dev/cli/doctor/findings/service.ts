import type { HttpReply } from '../http.js';
import { type DoctorCheck, jsonOf } from '../finding.js';

const errorOf = ({ body }: HttpReply): unknown => {
  const { error } = jsonOf(body);
  return typeof error === 'object' && error !== null ? (error as { error?: unknown }).error : undefined;
};

const serviceUnreachable: DoctorCheck = ({ service, settings }) => {
  if (service === undefined || service.kind === 'reply') return undefined;
  return {
    id: 'service-unreachable',
    observed: `The service at ${hostOf(settings.baseUrl)} cannot be reached: ${service.why}.`,
    cause: 'The address is wrong, a firewall or a proxy is in between, or the service is down.',
    fix: 'Compare IDENTITY_BASE_URL with the portal of the service, and call it with curl from this machine.',
  };
};

const keyRefused: DoctorCheck = ({ service }) => {
  if (service?.kind !== 'reply' || service.status !== 401 || errorOf(service) !== 'error_api_key') {
    return undefined;
  }
  return {
    id: 'key-refused',
    observed: 'The service rejects the API key.',
    cause: 'The key is misspelled, was replaced, or belongs to a different environment of the service.',
    fix: 'Copy the key of this environment from the portal into IDENTITY_API_KEY.',
  };
};

const accountRefused: DoctorCheck = ({ service }) => {
  if (service?.kind !== 'reply' || errorOf(service) !== 'error_account') return undefined;
  return {
    id: 'account-refused',
    observed: 'The service accepts the key but rejects the account.',
    cause: 'The account is not set up for the API, or is suspended.',
    fix: 'Ask the service to set up the account.',
  };
};

/** A body without a question is refused by the interface with 400 and a code. */
const serviceUnlike: DoctorCheck = ({ service, settings }) => {
  if (service?.kind !== 'reply') return undefined;
  const code = errorOf(service);
  if (code === 'error_api_key' || code === 'error_account') return undefined;
  if (service.status === 400 && typeof code === 'string') return undefined;
  return {
    id: 'service-unlike-interface',
    observed: `${hostOf(settings.baseUrl)} does not respond to POST /prove as the interface specifies (status ${service.status}).`,
    cause: 'The address belongs to something else, its path is wrong, or the service is failing.',
    fix: 'Compare IDENTITY_BASE_URL with the portal. It is the address without /prove.',
  };
};

/** Seconds: the tolerance for when a credential was issued. */
const maxSkew = 5;

/** Who asks wallets itself has no service, so that only a doctor on another machine sees it. */
const clockSkewed: DoctorCheck = ({ service, page, settings: { asksWallets }, now }) => {
  const other = asksWallets ? page : service;
  const date = other?.kind === 'reply' ? Date.parse(other.headers.date ?? '') : Number.NaN;
  const skew = (now.getTime() - date) / 1000 - 0.5; // the header has whole seconds
  if (!(Math.abs(skew) > maxSkew)) return undefined;
  return {
    id: 'clock-skewed',
    observed: `The clock of this machine is ${Math.round(Math.abs(skew))} seconds ${skew > 0 ? 'ahead of' : 'behind'} the ${asksWallets ? 'app' : 'service'}'s.`,
    cause: `Time synchronisation (NTP) is not running here${asksWallets ? ' or there' : ''}, or a machine was asleep.`,
    fix: 'Turn on time synchronisation. Valid presentations are rejected as expired or not yet valid.',
  };
};

function hostOf(baseUrl = ''): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'its address';
}

export const serviceChecks: readonly DoctorCheck[] = [
  serviceUnreachable,
  keyRefused,
  accountRefused,
  serviceUnlike,
  clockSkewed,
];
