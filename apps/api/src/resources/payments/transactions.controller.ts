import { PAYMENT_KINDS, type PaymentKind } from '#libs/contracts';
import { Controller, Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { INVALID_PARAMETER, Refuses } from '../../http/refuses.js';
import { paymentIdParameter } from './payment-id.pipe.js';
import { paymentKindParameter } from './payment-kind.pipe.js';
import { TransactionDetailDto, TransactionListDto } from './transaction.dto.js';
import { TransactionsQueryDto } from './transactions-query.dto.js';
import { TransactionsService } from './transactions.service.js';

/** Lists payments with their newest status, and shows one with all its statuses. */
@ApiTags('transactions')
@Controller({ path: 'transactions', version: '1' })
export class TransactionsController {
  constructor(private readonly transactions: TransactionsService) {}

  @Get()
  @Allow('producer', 'viewer')
  @ApiOperation({
    summary: 'List payments, the one with the newest status first; a live view',
    description:
      'A producer sees its own statuses only, also where others use the same id. A payment moves to the front with each status.',
    operationId: 'listTransactions',
  })
  @ApiOkResponse({ type: TransactionListDto })
  @Refuses({ 400: INVALID_PARAMETER })
  list(@Query() query: TransactionsQueryDto, @CurrentCaller() caller: Caller): Promise<TransactionListDto> {
    return this.transactions.list(query, caller);
  }

  @Get(':kind/:paymentId')
  @Allow('producer', 'viewer')
  @ApiOperation({
    summary: 'Read a payment: its statuses in order, and where each was delivered',
    operationId: 'readTransaction',
  })
  @ApiParam({ name: 'kind', enum: PAYMENT_KINDS })
  @ApiParam({ name: 'paymentId', description: 'ACH `transactionId` or wire `paymentId`.' })
  @ApiOkResponse({ type: TransactionDetailDto })
  @Refuses({ 404: 'There is no such payment, or no status of it is the caller’s.' })
  read(
    @Param('kind', paymentKindParameter) kind: PaymentKind,
    @Param('paymentId', paymentIdParameter) paymentId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    return this.transactions.read(kind, paymentId, caller);
  }
}
