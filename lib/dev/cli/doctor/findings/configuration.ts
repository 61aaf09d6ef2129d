import { isLoopback, secureUrl } from '../../../../internal/urls.js';
import { makeSecret } from '../../../../options/options.js';
import type { DoctorCheck } from '../finding.js';
import { variables } from '../settings.js';
import { isKitsPage } from './app.js';

/** None at all only means that the doctor runs elsewhere than the app. */
const environmentIncomplete: DoctorCheck = ({ settings }) => {
  if (settings.asksWallets) return undefined;
  const missing = variables.filter((name) => !settings.variables.includes(name));
  const unset = missing.filter((name) => name !== 'APP_URL');
  if (unset.length === 0 || unset.length === variables.length - 1) return undefined;
  return {
    id: 'environment-incomplete',
    observed: `The environment has some of the variables that an app needs, but not ${unset.join(', ')}.`,
    cause: 'A line is missing or empty where the environment is set.',
    fix: `Set ${unset.join(', ')}, or the equivalent options in code.`,
  };
};

const serviceAddressUnsafe: DoctorCheck = ({ settings: { baseUrl } }) => {
  if (baseUrl === undefined || secureUrl(baseUrl, true) !== undefined) return undefined;
  return {
    id: 'service-address-unsafe',
    observed: 'The address of the service is not https. The doctor did not send the key there.',
    cause: 'IDENTITY_BASE_URL (or the option baseUrl) is misspelled, contains a user name, or is plain http.',
    fix: 'Use the address that the service gave you, with https://. The app does not start with this one.',
  };
};

const appUrlUnsafe: DoctorCheck = ({ settings: { appUrl, baseUrl, asksWallets } }) => {
  const developing =
    asksWallets || (baseUrl !== undefined && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl)));
  if (appUrl.protocol === 'https:' || (isLoopback(appUrl) && (developing || baseUrl === undefined))) {
    return undefined;
  }
  return {
    id: 'app-url-unsafe',
    observed: `The app's public address is ${appUrl.origin}, which is not https.`,
    cause: 'APP_URL (or --url) is written with http. Presentations and cookies would travel unencrypted.',
    fix: 'Serve the app over https and write https in APP_URL. http is for localhost, with a service on localhost.',
  };
};

/** A proxy may take that very path off: then the kit's page is where the address says. */
const appUrlOfRouter: DoctorCheck = ({ settings: { appUrl, mount }, page, inside }) => {
  if (!`${appUrl.pathname}/`.includes(`${mount}/`)) return undefined;
  if (inside === undefined && page.kind === 'reply' && isKitsPage(page)) return undefined;
  return {
    id: 'app-url-of-router',
    observed: `The app's address is said to be ${appUrl.href}, and its router is at ${mount}.`,
    cause: 'appUrl (or APP_URL, or --url) is the address of the app; the kit adds its own path to it.',
    fix: `Remove ${mount}, and what follows it, from appUrl (or APP_URL, or --url).`,
  };
};

const sandboxInProduction: DoctorCheck = ({ settings: { issuer, mode } }) => {
  if (issuer !== 'xx-sandbox' || mode !== 'production') return undefined;
  return {
    id: 'sandbox-in-production',
    observed: 'The issuer is xx-sandbox, but NODE_ENV is production.',
    cause: 'IDENTITY_ISSUER still has the value of the test environment. Such a result proves nothing.',
    fix: 'Set IDENTITY_ISSUER to the issuer that you trust, with an entry in the option trust.',
  };
};

const secretsEqual: DoctorCheck = ({ settings: { oneSecretForBoth } }) => {
  if (!oneSecretForBoth) return undefined;
  return {
    id: 'secrets-equal',
    observed: 'IDENTITY_SECRET and SESSION_SECRET have the same value.',
    cause:
      'One was copied from the other. Whoever learns one of them can then open both the sessions and the flows in the store.',
    fix: `Make a new value for IDENTITY_SECRET: ${makeSecret}`,
  };
};

export const environmentChecks: readonly DoctorCheck[] = [
  environmentIncomplete,
  serviceAddressUnsafe,
  appUrlUnsafe,
  appUrlOfRouter,
  sandboxInProduction,
  secretsEqual,
];
