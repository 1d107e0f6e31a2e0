/** Injection token of the process's `QueueBackend`. */
export const QUEUE_BACKEND = Symbol('QueueBackend');
