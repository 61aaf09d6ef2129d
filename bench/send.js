import { request } from 'node:http';

/** One request, and its whole reply. */
export async function send(through, address, { method = 'GET', headers = {}, body = '' } = {}) {
  return await new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const sent = request(address, { agent: through, method, headers: { ...headers, ...length } }, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        resolve({ status: res.statusCode, headers: res.headers, text: Buffer.concat(chunks).toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
