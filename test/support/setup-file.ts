/** Runs before every test file, as it does before everything in the product's processes. */
import 'reflect-metadata';
