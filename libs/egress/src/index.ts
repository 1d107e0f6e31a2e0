export { createEgress, type EgressOptions } from './create-egress.js';
export { LocalFaultError, type Egress, type EgressRequest, type Exchange } from './exchange.js';
export { checkAuthorities, type CheckedAuthorities } from './check-authorities.js';
export { checkClientCertificate, type CheckedClientCertificate } from './check-client-certificate.js';
export type { ConsumerTls } from './consumer-tls.js';
export { canonicalConsumerUrl, type CanonicalUrl } from './canonical-consumer-url.js';
export type { Lookup } from './guarded-lookup.js';
