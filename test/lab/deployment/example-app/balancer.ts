import { once } from 'node:events';
import { Agent, type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import { closeServer, listenOn } from '../../../support/listen.js';

/** A balancer in front of processes that share a port, which does as the test says. */
export interface Balancer {
  readonly url: string;
  /** Which process gets a request for this path. */
  choose: (path: string) => number;
  /** The path of each request, and the process that said it was the one to answer it. */
  readonly passed: (readonly [path: string, process: number])[];
  close(): Promise<void>;
}

export async function createBalancer(port: number): Promise<Balancer> {
  const server = createServer((req, res) => {
    void pass(req, res).catch(() => res.destroy());
  });

  const balancer: Balancer = {
    url: await listenOn(server, 'localhost'),
    choose: () => 1,
    passed: [],
    close: async () => await closeServer(server),
  };
  return balancer;

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = new URL(req.url ?? '', balancer.url).pathname;
    const agent = await connectionTo(balancer.choose(path));
    const { method = '', url = '', headers } = req;
    const sent = request({ host: 'localhost', port, agent, method, path: url, headers }, (answer) => {
      balancer.passed.push([path, processOf(answer)]);
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
      answer.once('close', () => agent.destroy());
    });
    sent.once('error', () => res.destroy());
    req.pipe(sent);
  }

  /** Each new connection goes to the next process: until one is the right one, it asks who is there. */
  async function connectionTo(wanted: number): Promise<Agent> {
    for (;;) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const asked = request({ host: 'localhost', port, agent, path: '/icon.svg' }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      await once(answer.resume(), 'end');
      if (processOf(answer) === wanted) return agent;
      agent.destroy();
    }
  }
}

function processOf({ headers }: IncomingMessage): number {
  return Number(headers['x-process']);
}
