import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { create as createBare } from './app.bare.js';

const agent = new Agent({ keepAlive: true });

/** The quickstart by hand, with node:http in place of fetch. */
export function create(addresses) {
  return createBare(addresses, postByNode);
}

async function postByNode(url, { headers, body, signal }) {
  const reply = await new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent, signal }, resolve).on('error', reject).end(body);
  });
  return await json(reply);
}
