import { isLoopback, secureUrl } from '../../../../internal/urls.js';
import type { Check } from '../finding.js';
import { variables } from '../settings.js';

/** None at all only means that the doctor runs elsewhere than the app. */
const environmentIncomplete: Check = ({ settings }) => {
  const missing = variables.filter((name) => !settings.variables.includes(name));
  const own = missing.filter((name) => name !== 'APP_URL');
  if (own.length === 0 || own.length === variables.length - 1) return undefined;
  return {
    id: 'environment-incomplete',
    found: `The environment has some of the variables that an app needs, and not ${own.join(', ')}.`,
    cause: 'A line is missing where the environment is set, or is empty.',
    mend: `Set ${own.join(', ')}, or the options of the same meaning in code.`,
  };
};

const serviceAddressUnsafe: Check = ({ settings: { baseUrl } }) => {
  if (baseUrl === undefined || secureUrl(baseUrl, true) !== undefined) return undefined;
  return {
    id: 'service-address-unsafe',
    found: 'The address of the service is not https. The doctor did not send the key there.',
    cause: 'IDENTITY_BASE_URL (or the option baseUrl) is mistyped, has a user in it, or is plain http.',
    mend: 'Write the address that the service gave you, with https://. The app does not start with this one.',
  };
};

const appUrlUnsafe: Check = ({ settings: { appUrl, baseUrl } }) => {
  const developing = baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl));
  if (appUrl.protocol === 'https:' || (isLoopback(appUrl) && (developing || baseUrl === undefined))) {
    return undefined;
  }
  return {
    id: 'app-url-unsafe',
    found: `The app's public address is ${appUrl.origin}, which is not https.`,
    cause: 'APP_URL (or --url) is written with http. Presentations and cookies would travel unencrypted.',
    mend: 'Serve the app over https and write https in APP_URL. http is for localhost, with a service on localhost.',
  };
};

const sandboxInProduction: Check = ({ settings: { issuer, mode } }) => {
  if (issuer !== 'xx-sandbox' || mode !== 'production') return undefined;
  return {
    id: 'sandbox-in-production',
    found: 'The issuer is xx-sandbox, and NODE_ENV is production.',
    cause: 'IDENTITY_ISSUER still has the value of the test environment. Such a result proves nothing.',
    mend: 'Set IDENTITY_ISSUER to the issuer that you trust, with an entry in the option trust.',
  };
};

export const environmentChecks: readonly Check[] = [
  environmentIncomplete,
  serviceAddressUnsafe,
  appUrlUnsafe,
  sandboxInProduction,
];
