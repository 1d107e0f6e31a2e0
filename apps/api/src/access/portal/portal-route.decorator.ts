import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../allow.decorator.js';
import { PortalBoundary } from './portal-boundary.interceptor.js';

/** Marks a controller of the portal: for the role `consumer` only, which no other role includes, with its boundary. */
export const Portal = (): ClassDecorator =>
  applyDecorators(ApiTags('portal'), Allow('consumer'), UseInterceptors(PortalBoundary));
