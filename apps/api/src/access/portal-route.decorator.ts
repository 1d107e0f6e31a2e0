import { applyDecorators } from '@nestjs/common';
import { Routes } from '../http/routes.js';
import { Allow } from './allow.decorator.js';

/** Marks a controller of the portal: for the role `consumer` only, which no other role includes. */
export const Portal = (path?: string): ClassDecorator =>
  applyDecorators(
    Routes({ path: path === undefined ? 'portal' : `portal/${path}`, tag: 'portal' }),
    Allow('consumer'),
  );
