import type { AchEventInfoDto } from './ach-event.dto.js';
import type { WireEventInfoDto } from './wire-event.dto.js';

/** A status change as JSON, every optional field set. */
export interface Example<T> {
  eventType: string;
  eventDateTime: string;
  data: T;
}

/** A complete `ach.status`; for documentation, the demo and tests. */
export function achExample(
  change: Partial<AchEventInfoDto> = {},
): Example<{ achEventInfo: AchEventInfoDto }> {
  return {
    eventType: 'ach.status',
    eventDateTime: '2025-11-20T09:30:00.000Z',
    data: {
      achEventInfo: {
        transactionId: 'ACH-2025-000001',
        status: 'NOTICE_OF_CHANGE',
        transactionType: 'CREDIT',
        standardEntryClass: 'PPD',
        transferDate: '2025-11-20',
        traceNumber: '021000020000001',
        preNote: false,
        amount: '1250.00',
        debtor: {
          achCompanyId: '1234567890',
          achCompanyName: 'ACME PAYROLL',
          name: 'Acme Corporation',
          financialInstitution: '021000021',
          account: { accountType: 'CHECKING', accountId: '000123456789' },
        },
        creditor: {
          achCompanyId: '9876543210',
          achCompanyName: 'EXAMPLE SUPPLY',
          name: 'Example Supply LLC',
          financialInstitution: '011401533',
          account: { accountType: 'SAVINGS', accountId: '000987654321' },
        },
        returnNOC: { type: 'NOC', reasonCode: 'C01', reasonDescription: 'Incorrect DFI account number' },
        ...change,
      },
    },
  };
}

/** A complete `wire.status`. */
export function wireExample(
  change: Partial<WireEventInfoDto> = {},
): Example<{ wireEventInfo: WireEventInfoDto }> {
  const address = { addressLine: '1 Main Street', city: 'Springfield', state: 'IL', postalCode: '62701' };
  return {
    eventType: 'wire.status',
    eventDateTime: '2025-11-20T09:30:00.000Z',
    data: {
      wireEventInfo: {
        paymentId: 'WIRE-2025-000001',
        status: 'Exception',
        exceptionInfo: [{ exceptionCode: 'E101', exceptionDescription: 'Beneficiary account is closed' }],
        IMAD: '20251120MMQFMP0B000001',
        OMAD: '20251120MMQFMP0B000002',
        originalWire: {
          wireInfo: {
            paymentAmount: '25000.00',
            referenceId: 'REF-0000000000000000000000000000001',
            endToEndId: '3f2c1b7e-8d4a-4c7e-9a51-0f6b2d3c4e5f',
          },
          originatorInfo: {
            accountNumber: '1234567890123456',
            accountType: 'S',
            name: 'Acme Corporation',
            wireCompanyId: 'WIRECO-001',
            wireCompanyName: 'Acme Corporation',
          },
          beneficiaryInfo: {
            accountNumber: 'DE89370400440532013000',
            accountType: 'D',
            name: 'Beispiel GmbH',
            address,
            institutionInfo: { name: 'First Example Bank', routingNumber: '021000021', address },
          },
          remittanceInformation: 'Invoice 4711',
        },
        ...change,
      },
    },
  };
}
