/** Runs before every test file, as it does before everything in the product's processes. */
import 'reflect-metadata';
import { afterAll } from 'vitest';
import { cleanUpAfterFile } from '#test/support/after-file';

afterAll(cleanUpAfterFile);
