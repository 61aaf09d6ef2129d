import { type Call, call, Fault, type Reply } from './call.js';

/** Calls EUDIPLO with a token of its own (OAuth client credentials), which is kept until it is refused or expires. */
export function eudiploToken(tokenUrl: string, client: Readonly<Record<string, string>>) {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let renewal: Promise<string> | undefined;

  return async function send(url: string, how: Omit<Call, 'token'>): Promise<Reply> {
    const token = kept === undefined || kept.until < Date.now() ? await renew(how.signal) : kept.token;
    const reply = await call(url, { ...how, token });
    if (reply.status !== 401) return reply;
    if (kept?.token === token) kept = undefined; // else it was renewed meanwhile
    return await call(url, { ...how, token: kept?.token ?? (await renew(how.signal)) });
  };

  /** One at a time: whoever needs a new token meanwhile waits for that one. */
  async function renew(signal: AbortSignal): Promise<string> {
    renewal ??= fetchToken(signal).finally(() => (renewal = undefined));
    return await renewal;
  }

  async function fetchToken(signal: AbortSignal): Promise<string> {
    const reply = await call(tokenUrl, { form: { grant_type: 'client_credentials', ...client }, signal });
    const { access_token: token, expires_in: seconds = 0 } = reply.json ?? {};
    if (typeof token !== 'string') throw new Fault('The token', reply);
    kept = { token, until: Date.now() + (Number(seconds) - 60) * 1000 };
    return token;
  }
}
