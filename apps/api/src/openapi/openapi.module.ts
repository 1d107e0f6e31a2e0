import { Module } from '@nestjs/common';
import { ApiDescription } from './api-description.js';
import { SchemasController } from './schemas.controller.js';

/** The description of the API, and the schemas of the notifications as files. */
@Module({ controllers: [SchemasController], providers: [ApiDescription] })
export class OpenApiModule {}
