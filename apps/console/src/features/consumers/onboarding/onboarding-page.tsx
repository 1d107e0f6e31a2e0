import { Alert, Box, Button, Checkbox, Group, Stack, Stepper, Text, useMatches } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { answerOf, api, type Schema } from '../../../api';
import { ProblemAlert, SecretOnce, fieldFaults } from '../../../feedback';
import { Page } from '../../../page/page';
import { Section } from '../../../page/section';
import { RequestPreview, SECTIONS } from '../consumer-form/consumer-fields';
import {
  ConsumerFormProvider,
  NEW_CONSUMER,
  settingsOf,
  useConsumerForm,
  VALIDATE,
  type ConsumerValues,
} from '../consumer-form/consumer-values';
import { CredentialFields } from '../credentials/credential-fields';
import {
  NO_PARTS,
  secretsOf,
  VALIDATE_CREDENTIALS,
  type CredentialParts,
} from '../credentials/credential-parts';
import { SettingsFacts } from '../settings/settings-tab';
import { useResume } from '../consumer-actions';
import { TestForm } from '../test-delivery/test-dialog';

const CREDENTIAL_FIELDS = [
  'username',
  'password',
  'signingSecret',
  'clientCertificate.certificate',
  'clientCertificate.privateKey',
] as const;
const CREDENTIALS = SECTIONS.length;
const REVIEW = CREDENTIALS + 1;
const STEPS = [...SECTIONS.map(({ title }) => title), 'Credentials', 'Review'];

/** Registers a consumer step by step, up to its first notification. */
export function OnboardingPage() {
  const [step, setStep] = useState(0);
  const form = useConsumerForm({ initialValues: NEW_CONSUMER, validate: VALIDATE });
  const credentials = useForm({ initialValues: NO_PARTS, validate: VALIDATE_CREDENTIALS });
  const client = useQueryClient();
  const registration = useMutation({
    mutationFn: (body: Schema<'RegisterConsumerDto'>) => answerOf(api.POST('/v1/consumers', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['consumers'] }),
  });
  const orientation = useMatches({ base: 'vertical', md: 'horizontal' } as const);
  const Fields = SECTIONS[step]?.Fields;

  /** Checks the steps before the wanted one, and goes to the first that is invalid. */
  const goTo = (wanted: number): void => {
    const checks = [
      ...SECTIONS.map(
        ({ fields }) =>
          () =>
            fields.map((field) => form.validateField(field)),
      ),
      () => CREDENTIAL_FIELDS.map((field) => credentials.validateField(field)),
    ].slice(0, wanted);
    const invalid = checks.findIndex((check) => check().some(({ hasError }) => hasError));
    setStep(invalid < 0 ? wanted : invalid);
  };
  const register = (): void => {
    const { username, password } = credentials.getValues();
    const body = {
      ...whatIsSet(form.getValues()),
      paused: true,
      credentials: { username, password },
      ...secretsOf(credentials.getValues()),
    };
    registration.mutate(body, {
      onError: (error) => {
        const faults = fieldFaults(error);
        form.setErrors(faults);
        credentials.setErrors(faults);
        const has = (fields: readonly string[]): boolean => fields.some((field) => field in faults);
        const section = SECTIONS.findIndex(({ fields }) => has(fields));
        setStep(section >= 0 ? section : has(CREDENTIAL_FIELDS) ? CREDENTIALS : REVIEW);
      },
    });
  };

  if (registration.data !== undefined) return <GoLivePage registered={registration.data} />;
  return (
    <Page
      title="Onboard a consumer"
      about="The consumer is registered paused. Nothing is sent before you go live."
    >
      <ConsumerFormProvider form={form}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (step === REVIEW) register();
            else goTo(step + 1);
          }}
        >
          <Stack>
            <Stepper active={step} onStepClick={goTo} size="sm" orientation={orientation}>
              {STEPS.map((label) => (
                <Stepper.Step key={label} label={label} />
              ))}
            </Stepper>
            {registration.error !== null && (
              <ProblemAlert error={registration.error} title="Not registered" />
            )}
            <Box maw={860}>
              {Fields !== undefined && <Fields />}
              {step === CREDENTIALS && (
                <CredentialFields
                  kind="new"
                  secret={credentials.getValues().secret}
                  propsOf={(field) => credentials.getInputProps(field)}
                />
              )}
              {step === REVIEW && <Review values={form.getValues()} credentials={credentials.getValues()} />}
            </Box>
            <Group>
              {step > 0 && (
                <Button variant="default" onClick={() => setStep(step - 1)}>
                  Back
                </Button>
              )}
              <Button type="submit" loading={registration.isPending}>
                {step === REVIEW ? 'Register paused' : 'Next'}
              </Button>
            </Group>
          </Stack>
        </form>
      </ConsumerFormProvider>
    </Page>
  );
}

/** All settings, before the consumer is registered. */
function Review({ values, credentials }: { values: ConsumerValues; credentials: CredentialParts }) {
  return (
    <Section title="Review">
      <SettingsFacts values={values} />
      <Text>
        User name “{credentials.username}”, a password, and{' '}
        {credentials.secret === 'generate'
          ? 'a new signing secret that is shown once.'
          : 'the agreed signing secret.'}
        {credentials.clientCertificate.certificate !== '' && ' A client certificate is presented.'}
      </Text>
      <RequestPreview url={values.url} timestampUnit={values.timestampUnit} />
      <Alert color="blue" title="Registered paused">
        New statuses of its payments are held from now on, and sent when you go live. Earlier ones are not;
        unrouted events can be sent under Payments.
      </Alert>
    </Section>
  );
}

/** After the registration: hand over the secret, test, go live; or leave the consumer paused. */
function GoLivePage({ registered }: { registered: Schema<'ConsumerCreatedDto'> }) {
  const { id, name, url, signingSecret } = registered;
  const [isHandedOver, setIsHandedOver] = useState(signingSecret === undefined);
  const [test, live] = signingSecret === undefined ? ['1', '2'] : ['2', '3'];
  const [isTested, setIsTested] = useState(false);
  const navigate = useNavigate();
  const resume = useResume(registered);
  const going = useMutation({
    mutationFn: () => resume('goLive', 'Onboarded'),
    onSuccess: () => navigate(`/consumers/${id}`),
  });
  return (
    <Page title={`${name} is registered`} about="It is paused: not live yet.">
      <Stack maw={860}>
        {signingSecret !== undefined && (
          <Section title="1. Hand over the secret">
            <SecretOnce what="Signing secret" value={signingSecret}>
              Copy it now and hand it to the customer over a secure channel.
            </SecretOnce>
            <Checkbox
              label="I have stored the secret or handed it over"
              checked={isHandedOver}
              onChange={(event) => setIsHandedOver(event.currentTarget.checked)}
            />
          </Section>
        )}
        <Section title={`${test ?? ''}. Send a test`}>
          <Text>Notifications are sent by POST to {url}. The customer must sign exactly this URL.</Text>
          <TestForm consumer={registered} onAcknowledged={() => setIsTested(true)} />
        </Section>
        <Section title={`${live ?? ''}. Go live`}>
          <Text>
            {isTested
              ? 'The test was acknowledged. Going live sends what was accepted since the registration, and then every new status.'
              : 'No test was acknowledged yet. If you go live now, notifications can be refused.'}
          </Text>
          {going.error !== null && <ProblemAlert error={going.error} title="Not live" />}
          <Group>
            <Button
              disabled={!isHandedOver}
              variant={isTested ? 'filled' : 'default'}
              loading={going.isPending}
              onClick={() => going.mutate()}
            >
              Go live
            </Button>
            <Button component={Link} to={`/consumers/${id}`} variant="default" disabled={!isHandedOver}>
              Leave it paused
            </Button>
          </Group>
        </Section>
      </Stack>
    </Page>
  );
}

/** The settings of a new consumer, without those that are empty. */
function whatIsSet(values: ConsumerValues) {
  const { externalId, contact, notes, caCertificate, maxPerSecond, retrySchedule, ...others } =
    settingsOf(values);
  return {
    ...others,
    ...(externalId === null ? {} : { externalId }),
    ...(contact === null ? {} : { contact }),
    ...(notes === null ? {} : { notes }),
    ...(caCertificate === null ? {} : { caCertificate }),
    ...(maxPerSecond === null ? {} : { maxPerSecond }),
    ...(retrySchedule === null ? {} : { retrySchedule }),
  };
}
