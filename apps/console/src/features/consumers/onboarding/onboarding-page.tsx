import { Box, Button, Group, Stack, Stepper } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ProblemAlert } from '../../../feedback/problem-alert';
import { Page } from '../../../layout/page';
import { ConsumerFormProvider, useConsumerForm } from '../consumer-form/consumer-form-context';
import { NEW_CONSUMER } from '../consumer-form/consumer-values';
import { fieldFaults } from '../consumer-form/field-faults';
import { LimitsFields } from '../consumer-form/limits-fields';
import { PaymentsFields } from '../consumer-form/payments-fields';
import { VALIDATE } from '../consumer-form/validate-consumer';
import { WhereFields } from '../consumer-form/where-fields';
import { WhoFields } from '../consumer-form/who-fields';
import { CredentialsFields } from './credentials-fields';
import { NO_CREDENTIALS, VALIDATE_CREDENTIALS } from './new-credentials';
import { Onboarded } from './onboarded';
import { Review } from './review';
import { REVIEW, stepOf, STEPS } from './steps';
import { useRegistration } from './use-registration';

/** Leads from a customer's name to its first test, one question at a time. */
export function OnboardingPage() {
  const [step, setStep] = useState(0);
  const form = useConsumerForm({ initialValues: NEW_CONSUMER, validate: VALIDATE });
  const credentials = useForm({ initialValues: NO_CREDENTIALS, validate: VALIDATE_CREDENTIALS });
  const registration = useRegistration();

  /** Marks what is not right up to the step, and goes to the first fault, or to the step when there is none. */
  const goTo = async (wanted: number): Promise<void> => {
    const faults = { ...(await form.validate()).errors, ...(await credentials.validate()).errors };
    const first = Math.min(wanted, stepOf(faults));
    // What has not been reached yet is not to be blamed for being empty.
    for (const { fields } of STEPS.slice(first + (first < wanted ? 1 : 0)))
      for (const field of fields) {
        form.clearFieldError(field);
        credentials.clearFieldError(field);
      }
    setStep(first);
  };
  const register = (): void =>
    registration.mutate(
      { values: form.getValues(), credentials: credentials.getValues() },
      {
        onError: (error) => {
          const faults = withoutPrefix(fieldFaults(error));
          form.setErrors(faults);
          credentials.setErrors(faults);
          setStep(stepOf(faults));
        },
      },
    );

  if (registration.data !== undefined) return <Onboarded consumer={registration.data} />;
  return (
    <Page title="Onboard a consumer" about="Six short steps, then a test. Nothing is sent before you say so.">
      <ConsumerFormProvider form={form}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (step === REVIEW) register();
            else void goTo(step + 1);
          }}
        >
          <Stack>
            <Stepper active={step} onStepClick={(wanted) => void goTo(wanted)} size="sm">
              {STEPS.map(({ label }) => (
                <Stepper.Step key={label} label={label} />
              ))}
            </Stepper>
            {registration.error !== null && (
              <ProblemAlert error={registration.error} title="Not registered yet" />
            )}
            <Box maw={860}>
              {step === 0 && <WhoFields />}
              {step === 1 && <WhereFields />}
              {step === 2 && <PaymentsFields />}
              {step === 3 && <CredentialsFields form={credentials} />}
              {step === 4 && <LimitsFields />}
              {step === REVIEW && <Review values={form.getValues()} credentials={credentials.getValues()} />}
            </Box>
            <Group>
              {step > 0 && (
                <Button variant="default" onClick={() => setStep(step - 1)}>
                  Back
                </Button>
              )}
              <Button type="submit" loading={registration.isPending}>
                {step === REVIEW ? 'Register the consumer' : 'Next'}
              </Button>
            </Group>
          </Stack>
        </form>
      </ConsumerFormProvider>
    </Page>
  );
}

/** The credentials have a form of their own, in which `credentials.username` is `username`. */
const withoutPrefix = (faults: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(faults).map(([field, message]) => [field.replace(/^credentials\./, ''), message]),
  );
