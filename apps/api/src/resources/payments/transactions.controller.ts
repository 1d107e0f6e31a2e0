import type { PaymentKind } from '#libs/contracts';
import { Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { Refuses, Routes } from '../../http/routes.js';
import { paymentIdParameter } from './payment-id.pipe.js';
import { paymentKindParameter } from './payment-kind.pipe.js';
import { TransactionDetailDto, TransactionListDto } from './transaction.dto.js';
import { TransactionsQueryDto } from './transactions-query.dto.js';
import { TransactionsService } from './transactions.service.js';

/** Lists payments with their newest status, and shows one with all its statuses. */
@Routes({ path: 'transactions', tag: 'transactions' })
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  /**
   * List payments, the one with the newest status first; a live view
   * @remarks A producer sees its own statuses only, also where others use the same id. A payment moves to the front
   * with each status.
   */
  @Get()
  @Allow('producer', 'viewer')
  listTransactions(
    @Query() query: TransactionsQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<TransactionListDto> {
    return this.transactions.list(query, caller);
  }

  /**
   * Read a payment: its statuses in order, and where each was delivered
   * @param paymentId ACH `transactionId` or wire `paymentId`.
   */
  @Get(':kind/:paymentId')
  @Allow('producer', 'viewer')
  @ApiOkResponse({ type: TransactionDetailDto })
  @Refuses({ 404: 'There is no such payment, or no status of it is the caller’s.' })
  readTransaction(
    @Param('kind', paymentKindParameter) kind: PaymentKind,
    @Param('paymentId', paymentIdParameter) paymentId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    return this.transactions.read(kind, paymentId, caller);
  }
}
