import { IdentityError, isKitErrorCode } from '../errors.js';
import {
  type ServiceErrorCode,
  isServiceErrorCode,
  serviceErrors,
  serviceSentences,
} from './service-error-codes.js';
import { strangersText } from '../safe/printable.js';

/**
 * The service's own code, unchanged where it is lower snake case and not one of ours; anything else becomes
 * `service_error`.
 */
export function fromService(serviceCode: string, status?: number, message?: string): IdentityError {
  const passes = /^[a-z][a-z0-9_]{0,63}$/.test(serviceCode) && !isKitErrorCode(serviceCode);
  const code = passes ? serviceCode : 'service_error';
  const said = { serviceCode: strangersText(serviceCode, 100), ...(message !== undefined && { message }) };
  if (isServiceErrorCode(code)) {
    const sentence = `The service reported ${code}: ${serviceSentences[code]}`;
    return new IdentityError(code, { message: sentence, ...factsOf(code), ...said });
  }
  const failed = status !== undefined && status >= 400 && status < 600 ? status : undefined;
  return new IdentityError(code, { status: failed ?? 502, retryable: (failed ?? 0) >= 500, ...said });
}

/** The interface forbids the request, so the service never saw it: there is no `serviceCode`. */
export function refusedHere(code: ServiceErrorCode, description: string): IdentityError {
  return new IdentityError(code, { message: `Refused before the network: ${description}`, ...factsOf(code) });
}

function factsOf(code: ServiceErrorCode) {
  return { status: serviceErrors[code], retryable: serviceErrors[code] >= 500, page: code };
}
