import type { Resource } from './template.ts'

const TOPIC = 'MailEvents'
const CONFIGURATION = 'MailConfiguration'

const allowed = (service: string, action: string, resource: unknown, condition: object) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: service },
      Action: action,
      Resource: resource,
      Condition: condition,
    },
  ],
})

/**
 * Returns the configuration set that mail is sent with, and the resources that carry bounces and complaints from SES into
 * the queue with this logical id. SES's own suppression list is not used, since administrators can neither see nor change it.
 *
 * @see https://docs.aws.amazon.com/ses/latest/dg/configure-sns-notifications.html
 */
export const mailEvents = (queue: string, stackName: string): Record<string, Resource> => ({
  [CONFIGURATION]: {
    Type: 'AWS::SES::ConfigurationSet',
    Properties: {
      Name: stackName,
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: [] },
      DeliveryOptions: { TlsPolicy: 'OPTIONAL' },
    },
  },
  MailEventDestination: {
    Type: 'AWS::SES::ConfigurationSetEventDestination',
    DependsOn: [`${TOPIC}Policy`],
    Properties: {
      ConfigurationSetName: { Ref: CONFIGURATION },
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint'],
        SnsDestination: { TopicARN: { Ref: TOPIC } },
      },
    },
  },
  [TOPIC]: { Type: 'AWS::SNS::Topic', Properties: {} },
  [`${TOPIC}Policy`]: {
    Type: 'AWS::SNS::TopicPolicy',
    Properties: {
      Topics: [{ Ref: TOPIC }],
      PolicyDocument: allowed(
        'ses.amazonaws.com',
        'sns:Publish',
        { Ref: TOPIC },
        { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      ),
    },
  },
  [`${TOPIC}Subscription`]: {
    Type: 'AWS::SNS::Subscription',
    Properties: {
      TopicArn: { Ref: TOPIC },
      Protocol: 'sqs',
      Endpoint: { 'Fn::GetAtt': [queue, 'Arn'] },
      RawMessageDelivery: true,
    },
  },
  [`${queue}Policy`]: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: queue }],
      PolicyDocument: allowed(
        'sns.amazonaws.com',
        'sqs:SendMessage',
        { 'Fn::GetAtt': [queue, 'Arn'] },
        { ArnEquals: { 'aws:SourceArn': { Ref: TOPIC } } },
      ),
    },
  },
})
