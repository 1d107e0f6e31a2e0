import type { JobsOptions } from 'bullmq';
import {
  JOB_OPTIONS,
  jobIdOf,
  MOST_IN_JOB,
  sharedJobIdOf,
  type Deliverable,
  type DeliveryJobData,
  type DeliveryToEnqueue,
} from './delivery-job.js';

interface JobToAdd {
  readonly name: 'deliver';
  readonly data: DeliveryJobData;
  readonly opts: JobsOptions;
}

/** The jobs for these deliveries of one shard: what is due later has one of its own, what is due now shares, in the given order. */
export function jobsFor(deliveries: readonly DeliveryToEnqueue[]): JobToAdd[] {
  const later = deliveries.filter(({ dueInMs = 0 }) => dueInMs > 0);
  const now = deliveries.filter(({ dueInMs = 0 }) => dueInMs <= 0);
  const jobs = later.map((delivery) => jobOf([delivery], { delay: Math.ceil(delivery.dueInMs ?? 0) }));
  for (let at = 0; at < now.length; at += MOST_IN_JOB) jobs.push(jobOf(now.slice(at, at + MOST_IN_JOB), {}));
  return jobs;
}

function jobOf(deliveries: readonly Deliverable[], options: JobsOptions): JobToAdd {
  const [first] = deliveries;
  if (first === undefined) throw new Error('a job holds at least one delivery');
  const jobId = deliveries.length === 1 ? jobIdOf(first) : sharedJobIdOf(first, deliveries.length);
  return {
    name: 'deliver',
    data: { deliveries: deliveries.map(({ deliveryId, round }) => ({ deliveryId, round })) },
    opts: { ...JOB_OPTIONS, jobId, ...options },
  };
}

/** Those jobs, with the trace that BullMQ's spans of each belong to: of its first delivery that has one. */
export function tracedJobsFor(deliveries: readonly DeliveryToEnqueue[]): JobToAdd[] {
  const traces = new Map(deliveries.map(({ deliveryId, traceparent }) => [deliveryId, traceparent]));
  return jobsFor(deliveries).map((job) => {
    const traceparent = firstTrace(
      job.data.deliveries.map(({ deliveryId }) => ({ traceparent: traces.get(deliveryId) })),
    );
    const telemetry =
      traceparent === undefined ? { omitContext: true } : { metadata: JSON.stringify({ traceparent }) };
    return { ...job, opts: { ...job.opts, telemetry } };
  });
}

/** The first that its producer wants traced. */
export const firstTrace = (
  deliveries: readonly Pick<DeliveryToEnqueue, 'traceparent'>[],
): string | undefined =>
  deliveries.find(({ traceparent }) => traceparent !== undefined && isSampled(traceparent))?.traceparent;

const isSampled = (traceparent: string): boolean => (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
