import { serve } from '../../support/serve.js';

/** What a customer's Redirect URL answers. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

interface Customer {
  readonly redirectUrl: string;
  /** The callbacks that arrived, in their order. */
  readonly callbacks: readonly { readonly type: string | undefined; readonly body: URLSearchParams }[];
}

export const goodReply: Reply = reply({ redirect_uri: 'http://localhost:3000/identity/return?code=c' });

export function reply(json: unknown, more: Reply = {}): Reply {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json), ...more };
}

/** A customer over real HTTP. `answer` is asked with the number of the callback; 'reset' breaks the connection. */
export async function aCustomer(
  answer: (nth: number) => Reply | 'reset' | Promise<Reply> = () => goodReply,
): Promise<Customer> {
  const callbacks: { type: string | undefined; body: URLSearchParams }[] = [];
  const url = await serve((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = new URLSearchParams(Buffer.concat(chunks).toString());
      const nth = callbacks.push({ type: req.headers['content-type'], body });
      const answered = await answer(nth);
      if (answered === 'reset') {
        req.socket.destroy();
        return;
      }
      res.writeHead(answered.status ?? 200, answered.headers);
      res.end(answered.body);
    })();
  });
  return { redirectUrl: `${url}/identity/callback`, callbacks };
}
