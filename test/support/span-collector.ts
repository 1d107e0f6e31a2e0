import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { waitUntil } from '#test/support/wait-until';

export interface CollectedSpan {
  service: string;
  /** The instrumentation scope: the product's, or a library's. */
  library: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentSpanId: string;
  startedAt: bigint;
  endedAt: bigint;
  /** The ids of linked spans. */
  links: readonly string[];
  attributes: Readonly<Record<string, unknown>>;
  /** The message of an error status; undefined without an error. */
  fault: string | undefined;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      scope: { name: string };
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attribute[];
        links?: { spanId: string }[];
        status: { code?: number; message?: string };
      }[];
    }[];
  }[];
}

/** A collector for spans over OTLP/HTTP in JSON, on the loopback interface. */
export class SpanCollector {
  readonly spans: CollectedSpan[] = [];

  static async start(): Promise<SpanCollector> {
    const collector = new SpanCollector();
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });

  get endpoint(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the collector is not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Waits until a trace has spans with all of these names, and returns all its spans in order. */
  trace(traceId: string, ...names: string[]): Promise<CollectedSpan[]> {
    const found = () => this.spans.filter((span) => span.traceId === traceId);
    return waitUntil(
      () => {
        const seen = found();
        return names.every((name) => seen.some((span) => span.name === name)) && seen;
      },
      {
        what: () =>
          `spans ${names.join(', ')} in trace ${traceId}; arrived so far: ${found()
            .map(({ name }) => name)
            .join(', ')}`,
      },
    ).then((spans) => spans.toSorted(byTime));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const spans: Export = JSON.parse(await text(request));
    if (request.url === '/v1/traces') this.keep(spans);
    response.setHeader('content-type', 'application/json').end('{}');
  }

  private keep({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      for (const { scope, spans } of scopeSpans)
        for (const span of spans) {
          this.spans.push({
            service,
            library: scope.name,
            name: span.name,
            traceId: span.traceId,
            spanId: span.spanId,
            parentSpanId: span.parentSpanId ?? '',
            startedAt: BigInt(span.startTimeUnixNano),
            endedAt: BigInt(span.endTimeUnixNano),
            links: (span.links ?? []).map(({ spanId }) => spanId),
            attributes: valuesOf(span.attributes),
            fault: span.status.code === 2 ? span.status.message : undefined,
          });
        }
    }
  }
}

/** By start; of spans with the same start, the longest first, because it contains the others. */
const byTime = (one: CollectedSpan, other: CollectedSpan): number =>
  Number(one.startedAt - other.startedAt) || Number(other.endedAt - one.endedAt);

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
