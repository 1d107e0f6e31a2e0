import type { PaymentKind } from '#libs/contracts';
import { Injectable, NotImplementedException } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import type { TransactionDetailDto, TransactionListDto } from './transaction.dto.js';
import type { TransactionsQueryDto } from './transactions-query.dto.js';

@Injectable()
export class TransactionsService {
  list(_query: TransactionsQueryDto, _caller: Caller): Promise<TransactionListDto> {
    throw new NotImplementedException('Not yet.');
  }

  read(_kind: PaymentKind, _paymentId: string, _caller: Caller): Promise<TransactionDetailDto> {
    throw new NotImplementedException('Not yet.');
  }
}
