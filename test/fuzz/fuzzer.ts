import { Agent, request } from 'node:http';
import { text as whole } from 'node:stream/consumers';
import type { FuzzedRequest } from '#test/fuzz/fuzzed-requests';
import type { DocumentChecker } from '#test/support/api-document';

const MOST_KNOWN = 200;
const ANSWER_WITHIN_MS = 30_000;

/** Our inside, which no refusal may show. */
const INTERNAL =
  /node_modules|\bat .+ \(.+:\d+:\d+\)|\.(ts|js):\d|kysely|ioredis|SQLSTATE|violates|relation "|ECONNREFUSED|syntax error|undefined|\bErr(or)?:/i;

export interface Finding {
  readonly fault: string;
  readonly request: FuzzedRequest;
  readonly url: string;
  readonly answer: string;
}

interface Answer {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
  readonly body: unknown;
}

/** Sends requests, judges every answer, and keeps what it has learnt: ids for further requests, and what was promised. */
export class Fuzzer {
  readonly findings: Finding[] = [];
  readonly statuses = new Map<number, number>();
  /** Successes by operation and status: `postEvent 202`. */
  readonly done = new Map<string, number>();
  /** Of events that were accepted, with their deliveries. */
  readonly notificationIds = new Set<string>();
  readonly deliveryIds = new Set<string>();
  private readonly known = new Map<string, string[]>();
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly port: number,
    /** Of callers; the first one's is taken most often, and sometimes none. */
    private readonly keys: readonly string[],
    private readonly checker: DocumentChecker,
    /** Ids that no request is to find: of the callers' own keys. */
    private readonly hidden: ReadonlySet<string>,
  ) {}

  async send(fuzzed: FuzzedRequest): Promise<void> {
    const url = this.urlOf(fuzzed);
    try {
      const answer = await this.ask(fuzzed, url);
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      for (const fault of this.faultsOf(fuzzed, answer)) this.tell(fault, fuzzed, url, answer.text);
      if (answer.status < 300) this.learn(fuzzed, answer);
    } catch (error) {
      this.tell(`no answer: ${String(error)}`, fuzzed, url, '');
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private tell(fault: string, fuzzed: FuzzedRequest, url: string, answer: string): void {
    const body = fuzzed.body?.slice(0, 2_000);
    this.findings.push({ fault, request: { ...fuzzed, body }, url, answer: answer.slice(0, 1_000) });
  }

  private urlOf({ template, parameters, query }: FuzzedRequest): string {
    const kind = template.split('/')[2] ?? '';
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = parameters[name] ?? '';
      const ids = this.known.get(name === 'keyId' ? 'api-keys' : kind) ?? [];
      return encoded(typeof value === 'string' ? value : (ids[value % ids.length] ?? String(value)));
    });
    const parts = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
  }

  private async ask({ method, headers, caller, body }: FuzzedRequest, path: string): Promise<Answer> {
    const key = this.keys[Math.max(0, caller - 5)];
    const sent = request({
      port: this.port,
      host: '127.0.0.1',
      agent: this.agent,
      method,
      path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const answered = Promise.withResolvers<Answer>();
    sent.on('error', answered.reject).on('response', (response) => {
      const read = async (): Promise<Answer> => {
        const said = await whole(response);
        const contentType = response.headers['content-type'] ?? null;
        const isJson = /json/.test(contentType ?? '');
        const value: unknown = said === '' ? undefined : isJson ? JSON.parse(said) : said;
        return { status: response.statusCode ?? 0, contentType, text: said, body: value };
      };
      read().then(answered.resolve, answered.reject);
    });
    sent.end(body);
    return answered.promise;
  }

  private faultsOf({ method, template, operationId }: FuzzedRequest, answer: Answer): string[] {
    const { status, contentType, text: said } = answer;
    if (status >= 500) return [`${operationId} was answered ${String(status)}`];
    const faults = status >= 400 && INTERNAL.test(said) ? [`${operationId} shows our inside`] : [];
    // What the router, the parser and the entrance refuse is refused alike everywhere.
    if ([400, 404, 413, 414, 415, 422, 429, 431].includes(status)) {
      if (!(contentType ?? '').startsWith('application/problem+json'))
        faults.push(`${operationId} was refused (${String(status)}) with ${String(contentType)}`);
      return faults;
    }
    return [...faults, ...this.checker.answerFaults(method, template, answer)];
  }

  /** Which ids there are now, and what was promised. */
  private learn({ operationId, template }: FuzzedRequest, { status, body }: Answer): void {
    const what = `${operationId} ${String(status)}`;
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
    const kind = template.endsWith('/keys') ? 'api-keys' : (template.split('/')[2] ?? '');
    const walk = (value: unknown, isPromise: boolean): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (typeof inner !== 'string') walk(inner, isPromise);
        else if (name === 'id') this.remember(kind, inner);
        else if (name === 'notificationId') {
          this.remember('events', inner);
          if (isPromise) this.notificationIds.add(inner);
        } else if (name === 'deliveryId') {
          this.remember('deliveries', inner);
          if (isPromise) this.deliveryIds.add(inner);
        }
      }
    };
    walk(body, ['postEvent', 'postEventBatch'].includes(operationId));
  }

  private remember(kind: string, id: string): void {
    if (this.hidden.has(id)) return;
    const ids = this.known.get(kind) ?? [];
    this.known.set(kind, [id, ...ids.filter((other) => other !== id)].slice(0, MOST_KNOWN));
  }
}

/** Whatever the text is, lone surrogates included. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
