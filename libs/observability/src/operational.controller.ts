import { VERSION } from '#libs/contracts';
import { Controller, Get, Header, Res, SetMetadata, VERSION_NEUTRAL } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Metrics } from './metrics.js';
import { Readiness } from './readiness.js';

/** Metadata key of routes that need no API key. */
export const PUBLIC = 'dispatcher:public';

/** The part of Fastify's reply that is used here; this package does not depend on the HTTP server. */
interface Reply {
  status(code: number): unknown;
}

/** Liveness, readiness and metrics of every process. */
@ApiExcludeController()
@Controller({ version: VERSION_NEUTRAL })
@SetMetadata(PUBLIC, true)
export class OperationalController {
  constructor(
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {}

  @Get('livez')
  livez(): { status: string; version: string } {
    return { status: 'ok', version: VERSION };
  }

  @Get('readyz')
  async readyz(
    @Res({ passthrough: true }) reply: Reply,
  ): Promise<{ status: string; version: string; checks: Record<string, string> }> {
    const { ready, checks } = await this.readiness.report();
    if (!ready) reply.status(503);
    return { status: ready ? 'ok' : 'unavailable', version: VERSION, checks };
  }

  @Get('metrics')
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  figures(): Promise<string> {
    return this.metrics.text();
  }
}
