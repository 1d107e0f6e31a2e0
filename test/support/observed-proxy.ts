import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterFile } from '#test/support/after-file';

export interface ObservedProxy {
  readonly url: string;
}

/**
 * A proxy in front of an api that is called when an answer has arrived and is not passed on yet: the api has committed,
 * and the client does not know. It closes the connection when no answer comes.
 * @param onAnswer gets the number of the answer, from 1
 */
export async function observedProxy(
  target: () => string,
  onAnswer: (number: number) => Promise<void> | void,
): Promise<ObservedProxy> {
  let answers = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await forward(target(), request);
    const body = Buffer.from(await answer.arrayBuffer());
    answers += 1;
    await onAnswer(answers);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  return { url: `http://127.0.0.1:${String(address.port)}` };
}

async function forward(target: string, request: IncomingMessage): Promise<Response> {
  const { authorization = '', 'content-type': type = '' } = request.headers;
  return fetch(`${target}${request.url ?? ''}`, {
    method: request.method ?? 'GET',
    headers: { authorization, 'content-type': type },
    ...(request.method === 'GET' ? {} : { body: await buffer(request) }),
  });
}
