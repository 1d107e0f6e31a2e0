/**
 * Runs before every test file. Nest and BullMQ are ES modules; a CommonJS package that requires one of them
 * while it is still being linked fails with "Cannot require() ES Module in a cycle". Loading them first avoids that.
 */
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
import 'bullmq';
