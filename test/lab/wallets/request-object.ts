import { type JWTPayload, decodeJwt } from 'jose';

/** Fetches the request object behind a link, by POST where there is a form. */
export async function fetchRequest(
  link: string,
  form?: Record<string, string>,
): Promise<{ readonly claims: JWTPayload }> {
  const uri = new URL(link).searchParams.get('request_uri') ?? '';
  const post = form && { method: 'POST', body: new URLSearchParams(form) };
  return { claims: decodeJwt(await (await fetch(uri, post)).text()) };
}
