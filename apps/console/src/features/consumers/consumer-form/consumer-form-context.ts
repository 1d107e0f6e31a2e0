import { createFormContext } from '@mantine/form';
import type { ConsumerValues } from './consumer-values';

/** The form whose parts are the steps of onboarding and the sections of the settings. */
export const [ConsumerFormProvider, useConsumerFormContext, useConsumerForm] =
  createFormContext<ConsumerValues>();
