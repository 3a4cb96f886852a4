import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type ScriptedServer = {
  readonly baseUrl: string;
  /** Bodies of the requests, in the order of their arrival. */
  readonly bodies: () => readonly string[];
  /** Connections that clients have opened so far. */
  readonly connections: () => number;
  readonly dispose: () => Promise<void>;
};

/** A real HTTP server that does to each request what a test says, however badly it behaves; on a free port for 0. */
export async function startScriptedServer(
  answer: (response: ServerResponse, body: string, request: IncomingMessage) => void,
  port = 0,
  host = '127.0.0.1',
): Promise<ScriptedServer> {
  const bodies: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      answer(response, body, request);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
  return {
    baseUrl: `http://${host}:${address.port}/v1`,
    bodies: () => bodies,
    connections: () => connections,
    dispose: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
