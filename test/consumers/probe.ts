import { Agent, request } from 'node:http';

/** What a caller says it wants: a page, JSON, and the data of a page as frameworks fetch it. */
const wishes: readonly (readonly [string, string])[] = [
  ['accept', 'text/html'],
  ['accept', 'application/json'],
  ['rsc', '1'],
  ['x-nextjs-data', '1'],
  ['hx-request', 'true'],
];

/** Spellings of the address N, with one letter escaped (E), in capitals (C), and where frameworks serve the data of a page. */
const patterns = [
  '/N /N/ //N /E /C /./N /x/../N /N.json /N%2f /N;x /N?x=1 /N.data /N/x /_next/data/x/N.json /N%00 /%2fN /\\N',
  '/N.txt /N.html /N/index.html /N?_rsc=1 /N#x /;/N /N%3f /N%20 /N. http:/N',
]
  .join(' ')
  .split(' ');

function spellings(name: string): string[] {
  const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  const written = { N: name, E: escaped, C: name.toUpperCase() };
  return patterns.map((pattern) =>
    pattern.replace(/[NEC]/, (letter) => written[letter as keyof typeof written]),
  );
}

/**
 * Asks for a page in 148 ways, as a browser with this cookie, and returns those that showed the secret. What answers HEAD
 * with 200 has run the page's handler, too.
 */
export async function probe(url: string, path: string, secret: string, cookie = ''): Promise<string[]> {
  const agent = new Agent({ maxSockets: 4 }); // a server ends the connection over an address that it cannot read
  const { hostname, port, pathname } = new URL(url);
  const base = pathname.replace(/\/$/, '');
  const shown: string[] = [];
  const ask = async (
    method: string,
    address: string,
    headers: Record<string, string> = {},
  ): Promise<void> => {
    const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
      (resolve, reject) => {
        const given = { ...headers, ...(cookie !== '' && { cookie }) };
        const sent = request({ agent, hostname, port, method, path: address, headers: given }, (reply) => {
          reply
            .toArray()
            .then((parts) => {
              resolve({ status: reply.statusCode, text: Buffer.concat(parts as Buffer[]).toString() });
            })
            .catch(reject);
        });
        sent.on('error', () => resolve({ status: undefined, text: '' })).end();
      },
    );
    const isOpen = text.includes(secret) || (method === 'HEAD' && status === 200);
    if (isOpen) shown.push([method, address, ...Object.entries(headers).flat()].join(' '));
  };
  const name = path.slice(1);
  const asked = [
    ...wishes.flatMap(([header, value]) =>
      spellings(name).map(async (spelling) => await ask('GET', base + spelling, { [header]: value })),
    ),
    ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'].flatMap((method) => [
      ask(method, base + path),
      ask('POST', base + path, { 'x-http-method-override': 'GET' }),
    ]),
    ask('HEAD', base + path),
  ];
  await Promise.all(asked);
  return [...shown, ...(asked.length === 148 ? [] : [`only ${asked.length} were asked`])];
}
