import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnsweringService {
  readonly url: string;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A plain HTTP service that answers as `answer` says; it shares no code with the client. */
export async function answeringService(
  answer: (method: string, path: string) => readonly [httpStatus: number, body: unknown],
): Promise<AnsweringService> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const { method = '', url = '' } = request;
      requests.push(`${method} ${url}`);
      const [httpStatus, body] = answer(method, decodeURIComponent(url));
      response.writeHead(httpStatus, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
