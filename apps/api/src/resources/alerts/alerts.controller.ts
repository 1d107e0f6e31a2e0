import { Body, Get, Put } from '@nestjs/common';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { Portal } from '../../access/portal-route.decorator.js';
import { PortalLimits } from '../../access/portal-limits.service.js';
import { OwnConsumer } from '../../access/scope.js';
import { Action, Refuses } from '../../http/routes.js';
import { AlertsChosenDto, AlertsDto, AlertsTestedDto, ChooseAlertsDto } from './alerts.dto.js';
import { AlertsService } from './alerts.service.js';

/** Alerts for the own people. */
@Portal('alerts')
export class AlertsController {
  constructor(
    private readonly alerts: AlertsService,
    private readonly limits: PortalLimits,
  ) {}

  /** Read which alerts the own people get, and where */
  @Get()
  readPortalAlerts(@OwnConsumer() consumerId: string): Promise<AlertsDto> {
    return this.alerts.read(consumerId);
  }

  /**
   * Choose which alerts the own people get, and where
   * @remarks Nobody gets any until then. Alerts have instants and numbers, and no payments. A mail address or webhook gets at
   * most one alert of a kind in 10 minutes and 10 in an hour; the next one counts those above. A webhook is signed like a
   * notification. Alerts that it does not accept are sent again for 24 hours.
   */
  @Put()
  choosePortalAlerts(
    @OwnConsumer() consumerId: string,
    @Body() body: ChooseAlertsDto,
    @CurrentActor() actor: Actor,
  ): Promise<AlertsChosenDto> {
    return this.alerts.choose(consumerId, body, actor);
  }

  /**
   * Send a test message by the chosen ways now
   * @remarks To the saved mail addresses and webhook, also when no alert is chosen; at most 10 in an hour. The answer says
   * whether each was accepted. The webhook gets `kind` and `event` as `test`, and an `alertId` that begins with `TEST-`.
   */
  @Action('test')
  @Refuses({ 409: 'There is neither a mail address nor a webhook, or the bank cannot read its secret.' })
  async testPortalAlerts(
    @OwnConsumer() consumerId: string,
    @CurrentActor() actor: Actor,
  ): Promise<AlertsTestedDto> {
    await this.limits.countAlertTest(consumerId);
    return this.alerts.test(consumerId, actor);
  }
}
