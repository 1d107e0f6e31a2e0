import type { Telemetry } from 'bullmq';

/**
 * BullMQ's own spans, of handing over and taking out, in the trace of the deliveries that a job is for. They go where the process
 * sends its spans. Nothing of it is loaded while nothing is traced: BullMQ's steps then cost what they cost without.
 */
export async function queueTelemetry(isTraced: boolean): Promise<Telemetry | undefined> {
  if (!isTraced) return undefined;
  const { BullMQOtel } = await import('bullmq-otel');
  return new BullMQOtel({ tracerName: 'bullmq' });
}
