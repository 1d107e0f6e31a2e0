import { describe, expect, it } from '@jest/globals';
import { MOST_IN_JOB } from './delivery-job.js';
import { firstTrace, jobsFor, tracedJobsFor } from './jobs-for.js';

const traceparent = (digit: string, flags = '01') => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;
const delivery = (index: number, trace?: string) => ({
  deliveryId: `delivery-${String(index)}`,
  round: 0,
  consumerId: 'consumer',
  ...(trace === undefined ? {} : { traceparent: trace }),
});

describe('a job', () => {
  const deliveries = Array.from({ length: MOST_IN_JOB + 3 }, (_, index) =>
    delivery(index, index === 2 ? traceparent('a', '00') : index >= 5 ? traceparent('b') : undefined),
  );

  it('holds nothing of a trace while nothing is traced', () => {
    expect(JSON.stringify(jobsFor(deliveries))).not.toMatch(/00-|traceparent|telemetry/);
  });

  it('is in the trace of its first delivery that is traced, and holds nothing else of it', () => {
    const jobs = tracedJobsFor([delivery(99), ...deliveries.slice(0, 7), { ...delivery(100), dueInMs: 5 }]);
    expect(jobs.map(({ opts }) => opts.telemetry)).toEqual([
      { omitContext: true },
      { metadata: JSON.stringify({ traceparent: traceparent('b') }) },
    ]);
    expect(jobs.map(({ data }) => data)).toEqual(
      jobsFor([delivery(99), ...deliveries.slice(0, 7), { ...delivery(100), dueInMs: 5 }]).map(
        ({ data }) => data,
      ),
    );
  });

  it('is in none that its producer does not want', () => {
    expect(firstTrace([delivery(1), delivery(2, traceparent('a', '00'))])).toBeUndefined();
    expect(firstTrace([delivery(2, traceparent('a', '00')), delivery(3, traceparent('c', '03'))])).toBe(
      traceparent('c', '03'),
    );
  });
});
