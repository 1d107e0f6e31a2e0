import { Pool } from 'undici';
import type { FuzzedRequest } from '#test/fuzz/fuzzed-requests';
import type { DocumentChecker } from '#test/support/api-document';

const MOST_KNOWN = 200;
const ANSWER_WITHIN_MS = 30_000;

/** Traces of the implementation, which no refusal may contain. */
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
  readonly contentType: string;
  readonly text: string;
  readonly body: unknown;
}

/** Sends requests, checks every answer, and remembers ids for further requests and for the check of the database. */
export class Fuzzer {
  readonly findings: Finding[] = [];
  readonly statuses = new Map<number, number>();
  /** Successes by operation and status: `postEvent 202`. */
  readonly done = new Map<string, number>();
  /** Accepted events, and their deliveries. */
  readonly notificationIds = new Set<string>();
  readonly deliveryIds = new Set<string>();
  private readonly known = new Map<string, string[]>();
  private readonly pool: Pool;

  constructor(
    port: number,
    /** The callers' keys; the first one is used most often. */
    private readonly keys: readonly string[],
    private readonly checker: DocumentChecker,
    /** Ids that no request may use: those of the callers' keys. */
    private readonly hidden: ReadonlySet<string>,
  ) {
    this.pool = new Pool(`http://127.0.0.1:${String(port)}`, { connections: 8 });
  }

  async send(fuzzed: FuzzedRequest): Promise<void> {
    const url = this.urlOf(fuzzed);
    try {
      const answer = await this.ask(fuzzed, url);
      this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
      for (const fault of this.faultsOf(fuzzed, answer)) this.record(fault, fuzzed, url, answer.text);
      if (answer.status < 300) this.learn(fuzzed, answer);
    } catch (error) {
      this.record(`no answer: ${String(error)}`, fuzzed, url, '');
    }
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private record(fault: string, fuzzed: FuzzedRequest, url: string, answer: string): void {
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
    const answer = await this.pool.request({
      method,
      path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: body ?? null,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    const text = await answer.body.text();
    const contentType = String(answer.headers['content-type'] ?? '');
    const isJson = contentType.includes('json');
    const parsed: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    return { status: answer.statusCode, contentType, text, body: parsed };
  }

  private faultsOf({ method, template, operationId }: FuzzedRequest, answer: Answer): string[] {
    const { status, contentType, text } = answer;
    if (status >= 500) return [`${operationId} was answered ${String(status)}`];
    const faults = status >= 400 && INTERNAL.test(text) ? [`${operationId} shows its implementation`] : [];
    // The router, the parser and the rate limit refuse all operations alike.
    if ([400, 404, 413, 414, 415, 422, 429, 431].includes(status)) {
      if (!contentType.startsWith('application/problem+json'))
        faults.push(`${operationId} was refused (${String(status)}) with ${contentType}`);
      return faults;
    }
    return [...faults, ...this.checker.answerFaults(method, template, answer)];
  }

  /** Remembers the ids in an answer; those of accepted events have to be in the database. */
  private learn({ operationId, template }: FuzzedRequest, { status, body }: Answer): void {
    const what = `${operationId} ${String(status)}`;
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
    const kind = template.endsWith('/keys') ? 'api-keys' : (template.split('/')[2] ?? '');
    const walk = (value: unknown, isAccepted: boolean): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        if (typeof inner !== 'string') walk(inner, isAccepted);
        else if (name === 'id') this.remember(kind, inner);
        else if (name === 'notificationId') {
          this.remember('events', inner);
          if (isAccepted) this.notificationIds.add(inner);
        } else if (name === 'deliveryId') {
          this.remember('deliveries', inner);
          if (isAccepted) this.deliveryIds.add(inner);
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

/** Also encodes lone surrogates. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
