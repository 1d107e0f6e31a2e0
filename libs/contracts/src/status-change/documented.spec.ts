import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { getMetadataStorage } from 'class-validator';
import { INSTANT_PATTERN } from '../rules/instant.js';
import { AchAccountDto, AchDataDto, AchEventInfoDto, AchPartyDto, ReturnNocDto } from './ach-event.dto.js';
import {
  BeneficiaryInfoDto,
  InstitutionInfoDto,
  OriginalWireDto,
  OriginatorInfoDto,
  WireAddressDto,
  WireInfoDto,
} from './original-wire.dto.js';
import { BatchDto, BatchItemDto, StatusChangeDto } from './status-change.dto.js';
import { ExceptionInfoDto, WireDataDto, WireEventInfoDto } from './wire-event.dto.js';

const DTOS = [
  AchAccountDto,
  AchDataDto,
  AchEventInfoDto,
  AchPartyDto,
  BatchDto,
  BatchItemDto,
  BeneficiaryInfoDto,
  ExceptionInfoDto,
  InstitutionInfoDto,
  OriginalWireDto,
  OriginatorInfoDto,
  ReturnNocDto,
  StatusChangeDto,
  WireAddressDto,
  WireDataDto,
  WireEventInfoDto,
  WireInfoDto,
];

/** The metadata that @nestjs/swagger keeps of a field and generates the document from. */
const documented = (dto: new () => object, field: string): unknown =>
  Reflect.getMetadata('swagger/apiModelProperties', dto.prototype, field);

const documentedFields = (dto: new () => object): string[] => {
  const names: string[] = Reflect.getMetadata('swagger/apiModelPropertiesArray', dto.prototype);
  return names.map((name) => name.slice(1)).toSorted();
};

describe('OpenAPI document', () => {
  it.each(DTOS)('the OpenAPI document has exactly the fields of %p that have rules', (dto) => {
    const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
    const ruled = [...new Set(rules.map(({ propertyName }) => propertyName))].toSorted();
    expect(documentedFields(dto)).toEqual(ruled);
  });

  it.each([
    [AchDataDto, 'achEventInfo', AchEventInfoDto],
    [AchEventInfoDto, 'debtor', AchPartyDto],
    [AchPartyDto, 'account', AchAccountDto],
    [AchEventInfoDto, 'returnNOC', ReturnNocDto],
    [WireDataDto, 'wireEventInfo', WireEventInfoDto],
    [WireEventInfoDto, 'exceptionInfo', ExceptionInfoDto],
    [WireEventInfoDto, 'originalWire', OriginalWireDto],
    [BeneficiaryInfoDto, 'institutionInfo', InstitutionInfoDto],
    [InstitutionInfoDto, 'address', WireAddressDto],
  ])('the OpenAPI document has the reference from %p %s to %p', (dto, field, nested) => {
    const schema = documented(dto, field);
    expect(schema).toMatchObject({ type: expect.any(Function) });
    const type: unknown = Object(schema).type;
    expect(type).toHaveProperty('name', 'type');
    expect(typeof type === 'function' && type()).toBe(nested);
  });

  it.each([
    [AchEventInfoDto, 'transactionId', { required: true, type: 'string', minLength: 1, maxLength: 255 }],
    [AchEventInfoDto, 'status', { enum: ['INITIATED', 'PROCESSED', 'NOTICE_OF_CHANGE', 'RETURN'] }],
    [AchEventInfoDto, 'amount', { required: true, type: 'string', pattern: '^\\d+\\.\\d+$' }],
    [AchEventInfoDto, 'transferDate', { required: false, format: 'date' }],
    [AchEventInfoDto, 'preNote', { required: true, type: 'boolean' }],
    [AchPartyDto, 'achCompanyId', { required: false, minLength: 1, maxLength: 255 }],
    [WireInfoDto, 'paymentAmount', { required: true, maxLength: 12, pattern: '^\\d+\\.\\d{2}$' }],
    [
      WireInfoDto,
      'referenceId',
      {
        required: false,
        anyOf: [
          { type: 'string', minLength: 35, maxLength: 35 },
          { type: 'string', enum: ['Not Provided'] },
        ],
      },
    ],
    [WireInfoDto, 'endToEndId', { required: false, minLength: 36, maxLength: 36 }],
    [OriginatorInfoDto, 'accountType', { required: false, enum: ['D', 'S'], default: 'D' }],
    [WireEventInfoDto, 'exceptionInfo', { required: false, isArray: true }],
    [
      StatusChangeDto,
      'data',
      { oneOf: [{ $ref: '#/components/schemas/AchDataDto' }, { $ref: '#/components/schemas/WireDataDto' }] },
    ],
    [StatusChangeDto, 'eventDateTime', { required: true, type: 'string', pattern: INSTANT_PATTERN }],
    [StatusChangeDto, 'consumers', { required: false, minItems: 1, uniqueItems: true }],
    [
      BatchDto,
      'events',
      { type: 'array', items: { $ref: '#/components/schemas/BatchItemDto' }, minItems: 1, maxItems: 500 },
    ],
    [BatchItemDto, 'idempotencyKey', { required: false, minLength: 1, maxLength: 255 }],
  ])('the OpenAPI document has the rules of %p %s', (dto, field, schema) => {
    expect(documented(dto, field)).toMatchObject(schema);
  });
});
