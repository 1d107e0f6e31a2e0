export { TLS_FAULTS, type CertificateFacts, type ClientCertificate } from './certificate.js';
export { checkPlain } from './check-plain.js';
export { checkQuery } from './check-query.js';
export * from './closed-lists.js';
export type { FieldFault } from './field-fault.js';
export type * from './field-types.js';
export { DeliveryFilter } from './lists/delivery-filter.dto.js';
export { hasMore, PageQueryDto, pageOf, paginated, PaginationDto, type Page } from './lists/page.dto.js';
export { FieldFaultDto, problem, PROBLEM_MEDIA_TYPE, ProblemDto } from './problem.dto.js';
export type { Rule } from './rules/declared.js';
export { INSTANT_PATTERN, instantOf, parseInstant } from './rules/instant.js';
export { Joining } from './rules/mapped.js';
export { Field } from './rules/rule.js';
export { Text, textRule, type TextRules } from './rules/text.js';
export { InstantText, ListOf, Nested, OneOf, Truth, UUID, UuidText, Whole } from './rules/values.js';
export {
  AcceptedDto,
  AddressedDto,
  BatchItemResultDto,
  BatchResultDto,
} from './status-change/accepted.dto.js';
export { ACH_STATUSES } from './status-change/ach-event.dto.js';
export { buildEnvelope, companyIdsIn, type Envelope } from './status-change/build-envelope.js';
export { achExample, wireExample } from './status-change/examples.js';
export { maskEnvelope } from './status-change/mask-envelope.js';
export { BatchDto, BatchItemDto, StatusChangeDto } from './status-change/status-change.dto.js';
export { admitWireStatuses, WIRE_STATUSES } from './status-change/wire-statuses.js';
export { newId } from './new-id.js';
export { VERSION } from './version.js';
export { within } from './within.js';
