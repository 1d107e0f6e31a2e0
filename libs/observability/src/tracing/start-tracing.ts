import type { Logger } from 'pino';
import { NO_TRACING, type Tracing } from './tracing.js';

export interface TracingOptions {
  /** Base of the collector's OTLP/HTTP address; null: nothing is traced, and OpenTelemetry is not loaded. */
  readonly endpoint: string | null;
  /** The process's name in traces. */
  readonly service: string;
  readonly logger: Logger;
}

/** Starts tracing when there is a collector. */
export async function startTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing> {
  if (endpoint === null) return NO_TRACING;
  const { openTracing } = await import('./otlp-tracing.js');
  return openTracing({ endpoint, ...options });
}
