export { createClient, type DispatcherClient, type DispatcherClientOptions } from './create-client.js';
export {
  RefusedError,
  UnavailableError,
  type FieldFault,
  type Refusal,
  type RefusalScope,
} from './errors.js';
export type { components, operations, paths } from './openapi.js';
export type { Accepted, StatusChange } from './pending-event.js';
export { createProducer, type PostOptions, type Producer, type ProducerOptions } from './producer.js';
