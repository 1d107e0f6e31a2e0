/** Calls the dispatcher's API as a producer or an operator. */
export class DispatcherClient {
  private readonly url: string;
  private readonly key: string;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  post<T>(path: string, body: object): Promise<T> {
    return this.call('POST', path, body);
  }

  get<T>(path: string): Promise<T> {
    return this.call('GET', path);
  }

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${String(response.status)}: ${text}`);
    const answer: T = JSON.parse(text);
    return answer;
  }
}
