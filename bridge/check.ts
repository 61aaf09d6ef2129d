import { verifierOf } from './app.js';
import { newId, sha256 } from './seal.js';
import { type Settings, SettingsError } from './settings.js';
import { Fault, reasonOf } from './verifiers/call.js';
import { verifierMs } from './verifiers/verifier.js';

/**
 * Asks the verifier for one request that nobody will answer, before there are visitors: so a wrong secret, a wrong address
 * and an option that it refuses are found by whoever starts the bridge. Returns why it does not answer; that may pass, so
 * the bridge starts all the same.
 */
export async function checkVerifier(settings: Settings, publicUrl: string): Promise<string | undefined> {
  const { verifierUrl, hookUrl = publicUrl } = settings;
  try {
    await verifierOf(settings).start({
      claims: ['given_name'],
      nonce: sha256(newId()),
      back: `${publicUrl}/verify/nobody`,
      hook: { url: `${hookUrl}/hook/nobody`, key: newId() },
      lifetime: 60,
      signal: AbortSignal.timeout(verifierMs),
    });
    return undefined;
  } catch (error) {
    const why = reasonOf(error);
    if (!(error instanceof Fault) || error.verifierStatus >= 500) return why;
    const isOfClient =
      error.verifierStatus === 401 || error.verifierStatus === 403 || why.startsWith('The token');
    const name = isOfClient
      ? 'BRIDGE_VERIFIER_CLIENT_ID or BRIDGE_VERIFIER_CLIENT_SECRET'
      : error.verifierStatus === 400
        ? 'BRIDGE_VERIFIER_OPTIONS'
        : 'BRIDGE_VERIFIER_URL';
    throw new SettingsError([`${name}: the verifier at ${verifierUrl} refuses what the bridge asks. ${why}`]);
  }
}
