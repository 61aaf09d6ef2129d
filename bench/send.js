import { request } from 'node:http';

/** One request, and its whole reply. */
export async function send(through, address, { method = 'GET', headers = {}, body = '', signal } = {}) {
  return await new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) };
    const options = { agent: through, method, headers: { ...headers, ...length }, signal };
    const sent = request(address, options, (res) => {
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
