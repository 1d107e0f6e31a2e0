import type { AcceptedEvent, Arrival } from '#test/chaos/observations';

/** An event for consumer `acme`, the first status of payment `P`. */
export const acceptedEvent = (notificationId: string, given: Partial<AcceptedEvent> = {}): AcceptedEvent => ({
  notificationId,
  payment: 'P',
  position: 0,
  consumers: ['acme'],
  sent: { eventType: 'wire.status', eventDateTime: '', data: {} },
  acceptedAtMs: 0,
  ...given,
});

/** A POST to consumer `acme` that is not acknowledged. */
export const arrival = (notificationId: string, given: Partial<Arrival> = {}): Arrival => ({
  consumer: 'acme',
  worker: null,
  notificationId,
  beganSequence: 0,
  beganAtMs: 0,
  acknowledgedSequence: null,
  acknowledgedAtMs: null,
  endedAtMs: null,
  bodyHash: '',
  signature: 'verified',
  ...given,
});
