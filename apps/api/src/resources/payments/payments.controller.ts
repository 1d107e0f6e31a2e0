import type { PaymentKind } from '#libs/contracts';
import { Get, Param, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { Allow } from '../../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../../access/caller.js';
import { Refuses, Routes } from '../../http/routes.js';
import { paymentIdParameter } from './payment-id.pipe.js';
import { paymentKindParameter } from './payment-kind.pipe.js';
import { PaymentDetailDto, PaymentListDto } from './payment.dto.js';
import { PaymentsQueryDto } from './payments-query.dto.js';
import { PaymentsService } from './payments.service.js';

/** Lists payments with their newest status, and shows one with all its statuses. */
@Routes({ path: 'payments', tag: 'payments' })
export class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  /**
   * List payments, the one with the newest status first; a live view
   * @remarks A producer sees its own statuses only, also where others use the same id. A payment moves to the front
   * with each status.
   */
  @Get()
  @Allow('producer', 'viewer')
  listPayments(@Query() query: PaymentsQueryDto, @CurrentCaller() caller: Caller): Promise<PaymentListDto> {
    return this.payments.list(query, caller);
  }

  /**
   * Read a payment: its statuses in order, and where each was delivered
   * @param paymentId ACH `transactionId` or wire `paymentId`.
   */
  @Get(':kind/:paymentId')
  @Allow('producer', 'viewer')
  @ApiOkResponse({ type: PaymentDetailDto })
  @Refuses({ 404: 'There is no such payment, or no status of it is the caller’s.' })
  readPayment(
    @Param('kind', paymentKindParameter) kind: PaymentKind,
    @Param('paymentId', paymentIdParameter) paymentId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<StreamableFile> {
    return this.payments.read(kind, paymentId, caller);
  }
}
