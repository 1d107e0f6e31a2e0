import { Body, Get, Put } from '@nestjs/common';
import { CurrentActor, type Actor } from '../../access/audit-entry.js';
import { Portal } from '../../access/portal-route.decorator.js';
import { OwnConsumer } from '../../access/scope.js';
import { AlertsChosenDto, AlertsDto, ChooseAlertsDto } from './alerts.dto.js';
import { AlertsService } from './alerts.service.js';

/** Alerts for the own people. */
@Portal('alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

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
}
