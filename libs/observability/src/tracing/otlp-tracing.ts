import { VERSION, within } from '#libs/contracts';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type SpanContext,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Span, SpanStart, Tracing } from './tracing.js';

const SEND_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 5_000;
/** Maximum wait of a stopping process for the collector. */
const CLOSE_WITHIN_MS = 3_000;
/** Log an unreachable collector at most once in this time. */
const LOG_EVERY_MS = 60_000;

const KINDS: Readonly<Record<SpanStart['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

/**
 * Spans over OTLP/HTTP, sent in batches in the background and dropped when the collector is too slow. A trace that its
 * producer does not sample is not sampled here either.
 */
export function openTracing(options: {
  readonly endpoint: string;
  readonly service: string;
  readonly logger: Logger;
}): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: ANSWER_WITHIN_MS,
  });
  logFaults(exporter, options.logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.version': VERSION,
      'process.pid': process.pid,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: SEND_EVERY_MS })],
  });
  const tracer = provider.getTracer('payment-notification-dispatcher');
  return {
    begin: (name, { kind, parent, startedAtMs, attributes }) => {
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          ...(startedAtMs === undefined ? {} : { startTime: performance.timeOrigin + startedAtMs }),
          ...(attributes === undefined ? {} : { attributes }),
        },
        contextOf(parent),
      );
      return {
        traceparent: traceparentOf(span.spanContext()),
        end: (given, fault) => {
          if (given !== undefined) span.setAttributes(given);
          if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
          span.end();
        },
      } satisfies Span;
    },
    close: async () => {
      await within(
        CLOSE_WITHIN_MS,
        provider.shutdown().catch(() => undefined),
      );
    },
  };
}

function contextOf(parent: string | undefined): Context {
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent));
}

function spanContextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

/** Logs failed exports, which the SDK does not report. */
function logFaults(exporter: OTLPTraceExporter, logger: Logger): void {
  const send = exporter.export.bind(exporter);
  let loggedAt = Number.NEGATIVE_INFINITY;
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error !== undefined && performance.now() - loggedAt > LOG_EVERY_MS) {
        loggedAt = performance.now();
        logger.warn({ fault: result.error.message, spans: spans.length }, 'spans.lost');
      }
      done(result);
    });
}
