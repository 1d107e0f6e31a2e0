import { DatabaseModule } from '#libs/database';
import { Module } from '@nestjs/common';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

/** One search for every kind of id. */
@Module({ imports: [DatabaseModule], controllers: [SearchController], providers: [SearchService] })
export class SearchModule {}
