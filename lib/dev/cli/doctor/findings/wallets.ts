import { soon } from '../../../../service/ask-wallets.js';
import { isKitErrorCode } from '../../../../errors.js';
import { type DoctorCheck, jsonOf } from '../finding.js';

/** Only of an app that asks wallets itself. */
const requestStopped: DoctorCheck = ({ request, page, settings }) => {
  if (request === undefined || page.kind !== 'reply' || page.status === 404) return undefined;
  const error = request.kind === 'reply' ? jsonOf(request.body)['error'] : undefined;
  if (error === 'state_unknown') return undefined;
  const seen =
    request.kind === 'reply' ? `is answered with ${request.status}` : `gets no response: ${request.why}`;
  return {
    id: 'request-stopped',
    observed: `GET ${settings.paths.request} ${seen}${isByKit(error) ? ` (${String(error)})` : ''} before the kit looks for a flow.`,
    cause:
      'A log-in, a CSRF check, a guard, a redirect or a proxy stands in front of it. A wallet has neither cookie nor token.',
    fix: 'Let this address through, for GET and POST, and the callback too. Mount the router above that check.',
  };
};

const isByKit = (error: unknown): boolean => typeof error === 'string' && isKitErrorCode(error);

const accessKeyWrong: DoctorCheck = ({ signs }) => {
  if (signs === undefined || signs === 'good') return undefined;
  return {
    id: 'access-key-wrong',
    observed: `The access key does not sign: ${signs}`,
    cause:
      'The function in wallets.key fails here, uses another key, or signs with another algorithm than ES256.',
    fix: 'Let it sign the bytes that it is given with the key of the access certificate: ECDSA on P-256 with SHA-256.',
  };
};

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const accessExpiresSoon: DoctorCheck = ({ settings: { access }, now }) => {
  // Those of a sandbox are made anew for each run.
  const lasting = access?.filter(({ validFrom, validUntil }) => validUntil - validFrom > soon) ?? [];
  const last = Math.max(...lasting.map(({ validUntil }) => validUntil));
  if (lasting.length === 0 || last - now.getTime() > soon) return undefined;
  return {
    id: 'access-expires-soon',
    observed: `The access certificate ends on ${day(last)}.`,
    cause: 'Certificates expire. Nobody asks wallets with one that has ended.',
    fix: 'Get a new one, and put it in front of this one in the option wallets before that day.',
  };
};

export const walletsChecks: readonly DoctorCheck[] = [requestStopped, accessKeyWrong, accessExpiresSoon];
