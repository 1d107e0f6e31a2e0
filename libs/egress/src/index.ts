export { createEgress } from './create-egress.js';
export { LocalFaultError, type Egress, type Exchange } from './exchange.js';
export { checkAuthorities } from './check-authorities.js';
export { checkClientCertificate } from './check-client-certificate.js';
export { canonicalConsumerUrl } from './canonical-consumer-url.js';
