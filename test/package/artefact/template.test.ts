import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readGuides } from '#lib/docs/guide-list'
import { arnOf } from '#lib/package/grants'
import { type Resource, readPackaged } from '../packaged.ts'

const packaged = await readPackaged()

/** Of CloudFormation's 500, some are left for every option at once and for functions to come. */
const MOST_RESOURCES = 420
const INTEGRATION = 'x-amazon-apigateway-integration'
const ANY = 'x-amazon-apigateway-any-method'
type GatewayDocument = {
  paths: Record<string, Record<string, Record<typeof INTEGRATION, Integration>>>
}
type Integration = { uri: { 'Fn::Sub': string }; credentials: unknown; payloadFormatVersion: string }

/** Given inline on a developer's machine only. */
const INLINE = ['AUTH_SIGNING_KEYS', 'CONSOLE_JWKS', 'DATA_KEYS', 'HMAC_KEYS', 'PAYMENT_PROVIDERS']
/** Those, Lambda's own, and a stand-in's. */
const NOT_GIVEN = new Set([...INLINE, 'AWS_REGION', 'AWS_ENDPOINT_URL_S3'])
/** Pages of a front end, and what there may be none of: empty unless whoever deploys says otherwise. */
type Statement = {
  Action: string[]
  Resource: unknown
  Condition?: { 'ForAllValues:StringLike'?: { 'dynamodb:LeadingKeys': string[] } }
}

/** What a function's role allows. */
function statementsOf(name: string): Statement[] {
  const role = packaged.roles[`${name.charAt(0).toUpperCase()}${name.slice(1)}LambdaFunction`]
  const policies = role?.Properties['Policies'] as { PolicyDocument: { Statement: Statement[] } }[]
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
}

const isOptional = (variable: string) =>
  /^(APPROVAL_LIMITS|LISTING_LIMITS|BRAND|COMMISSION|RETURN_ORIGINS|CORS_ORIGINS|ORIGIN_SECRETS|CONSOLE_ROLES|CONSOLE_MACHINES|WEBAUTHN_RP_ID|WEBAUTHN_ORIGINS|(?!PUBLIC|MEDIA)\w+_URL)$/.test(
    variable,
  )

describe('the CloudFormation template', () => {
  it('stays within the 500 resources that a stack may have', () => {
    const left = MOST_RESOURCES - Object.keys(packaged.resources).length
    expect(left, `${left} resources are left of ${MOST_RESOURCES}`).toBeGreaterThanOrEqual(0)
  })

  it('takes one resource for an endpoint: its function', () => {
    const types = Object.values(packaged.resources).map(({ Type }) => Type)
    const isPerEndpoint = /^AWS::(ApiGatewayV2::(Route|Integration)|Logs::LogGroup|Lambda::Permission)$/
    const others = types.filter((type) => isPerEndpoint.test(type))
    expect(others.length, others.join()).toBeLessThan(packaged.functions.length / 4)
  })

  it('describes every route to the gateway, each leading to its function by the gateway’s role', () => {
    const document = packaged.resources['HttpApi']?.Properties['Body'] as GatewayDocument | undefined
    for (const { name, routes } of packaged.functions) {
      for (const route of routes) {
        const [verb = '', path = ''] = route === '$default' ? [ANY, '/$default'] : route.split(' ')
        const target = document?.paths[path]?.[verb === ANY ? ANY : verb.toLowerCase()]?.[INTEGRATION]
        expect(target?.uri['Fn::Sub'], route).toContain(`function:platform-api-dev-${name}/invocations`)
        expect(target?.credentials, route).toEqual({ 'Fn::GetAtt': ['GatewayRole', 'Arn'] })
        expect(target?.payloadFormatVersion, route).toBe('2.0')
      }
    }
  })

  it('lets API Gateway assume its role without a condition: it sends no aws:SourceAccount', () => {
    const trust = JSON.stringify(packaged.resources['GatewayRole']?.Properties['AssumeRolePolicyDocument'])
    expect(trust).toContain('apigateway.amazonaws.com')
    expect(trust).not.toContain('Condition')
  })

  it('reads parameters of the account as its own parameters, not by dynamic references', () => {
    expect(JSON.stringify(packaged.resources)).not.toContain('{{resolve:')
    expect(packaged.parameters['AuthJwksParameter']).toEqual({
      Type: 'AWS::SSM::Parameter::Value<String>',
      Default: '/platform-api/dev/auth-jwks',
    })
  })

  it('gives each follower of changes a queue in order, with dead letters, and reads the stream once', () => {
    const { resources } = packaged
    const sources = Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping')
    const ofStream = sources.filter(({ Properties }) => 'StartingPosition' in Properties)
    expect(ofStream.map(({ Properties }) => Properties['FunctionName'])).toEqual([
      { 'Fn::GetAtt': ['DispatchChangesLambdaFunction', 'Arn'] },
    ])
    expect(resources['FollowListingsQueue']?.Properties).toMatchObject({
      QueueName: 'platform-api-dev-followListings.fifo',
      FifoQueue: true,
      VisibilityTimeout: 90,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': ['FollowListingsDeadLetters', 'Arn'] },
        maxReceiveCount: 30,
      },
    })
    const routes = packaged.lambdas['dispatchChanges']?.Environment.Variables['CHANGE_ROUTES'] as {
      'Fn::Sub': string
    }
    expect(JSON.parse(routes['Fn::Sub'])).toMatchObject({
      followListings: { queue: '${FollowListingsQueue}', inserted: [], modified: ['listing'], removed: [] },
    })
  })

  it('delivers webhooks one message an invocation, and after five seconds to endpoints that fail', () => {
    const { resources } = packaged
    const settingsOf = (job: string) => {
      const mapping = Object.values(resources).find(
        ({ Type, Properties }) =>
          Type === 'AWS::Lambda::EventSourceMapping' &&
          JSON.stringify(Properties['FunctionName']).includes(`"${job}LambdaFunction"`),
      )
      const { BatchSize, ScalingConfig } = mapping?.Properties ?? {}
      return { BatchSize, ScalingConfig, delay: resources[`${job}Queue`]?.Properties['DelaySeconds'] }
    }
    expect(settingsOf('SendDeliveries')).toEqual({
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 160 },
      delay: 0,
    })
    expect(settingsOf('RetryDeliveries')).toEqual({
      BatchSize: 1,
      ScalingConfig: { MaximumConcurrency: 40 },
      delay: 5,
    })
  })

  it('has S3 tell each function of the originals of its kinds, once S3 may', () => {
    const bucket = packaged.resources['MediaBucket'] as Resource & { DependsOn: unknown }
    expect(bucket.DependsOn).toEqual(['ProcessMediaQueuePolicy', 'ProcessPdfsQueuePolicy'])
    const under = (prefix: string, queue: string) => ({
      Event: 's3:ObjectCreated:*',
      Queue: { 'Fn::GetAtt': [queue, 'Arn'] },
      Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: prefix }] } },
    })
    expect(bucket.Properties['NotificationConfiguration']).toEqual({
      QueueConfigurations: [
        under('originals/image/', 'ProcessMediaQueue'),
        under('originals/video/', 'ProcessMediaQueue'),
        under('originals/document/', 'ProcessPdfsQueue'),
      ],
    })
  })

  it('has SES report bounces and complaints of its mail into the queue of the function that follows them', () => {
    const { resources } = packaged
    expect(resources['MailConfiguration']?.Properties).toMatchObject({
      Name: 'platform-api-dev',
      SuppressionOptions: { SuppressedReasons: [] },
    })
    expect(resources['MailEventDestination']?.Properties).toMatchObject({
      ConfigurationSetName: { Ref: 'MailConfiguration' },
      EventDestination: {
        MatchingEventTypes: ['bounce', 'complaint'],
        SnsDestination: { TopicARN: { Ref: 'MailEvents' } },
      },
    })
    expect(resources['MailEventsSubscription']?.Properties).toMatchObject({
      TopicArn: { Ref: 'MailEvents' },
      Endpoint: { 'Fn::GetAtt': ['SuppressAddressesQueue', 'Arn'] },
      RawMessageDelivery: true,
    })
    expect(JSON.stringify(statementsOf('sendMail'))).toContain('configuration-set/platform-api-dev')
  })

  it('logs what the gateway answers, by the route and the function’s request id, without the query and the caller’s address', () => {
    const stage = Object.values(packaged.resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage')
    const settings = stage?.Properties['AccessLogSettings'] as { DestinationArn: unknown; Format: string }
    expect(settings.DestinationArn).toEqual({ 'Fn::GetAtt': ['AccessLogs', 'Arn'] })
    expect(JSON.parse(settings.Format)).toMatchObject({
      route: '$context.routeKey',
      status: '$context.status',
    })
    expect(settings.Format).not.toMatch(/path|query|protocol|sourceIp/i)
    expect(JSON.parse(settings.Format)).toMatchObject({ functionRequestId: '$context.integration.requestId' })
  })

  it('gives all functions one log group', () => {
    for (const [name, { LoggingConfig }] of Object.entries(packaged.lambdas)) {
      expect(LoggingConfig, name).toEqual({ LogGroup: { Ref: 'FunctionLogs' } })
    }
  })

  it('gives every function exactly the variables that it reads', () => {
    expect(packaged.functions.length).toBeGreaterThan(0)
    for (const { name, variables } of packaged.functions) {
      const given = Object.keys(packaged.lambdas[name]?.Environment.Variables ?? {})
      const expected = variables.filter((variable) => !NOT_GIVEN.has(variable))
      expect(given.filter((variable) => !isOptional(variable)).sort(), name).toEqual(
        expected.filter((variable) => !isOptional(variable)),
      )
      expect(variables, name).toEqual(expect.arrayContaining(given))
    }
  })

  it('gives what calls payment providers the time of four calls, within that of the gateway', () => {
    const calling = packaged.functions.filter(
      ({ name, routes, variables }) =>
        routes.length > 0 && variables.includes('PAYMENT_PROVIDERS') && name !== 'listPaymentProviders',
    )
    expect(calling.length).toBeGreaterThan(5)
    for (const { name } of calling) expect(packaged.lambdas[name]?.Timeout, name).toBe(29)
  })

  it('gives no function a secret, only the name of where one is kept', () => {
    for (const [name, { Environment }] of Object.entries(packaged.lambdas)) {
      for (const secret of INLINE) expect(Environment.Variables, name).not.toHaveProperty(secret)
    }
  })

  it('gives functions that strangers can make costly a concurrency of their own', () => {
    const reserved = Object.entries(packaged.lambdas).flatMap(([name, lambda]) =>
      'ReservedConcurrentExecutions' in lambda ? [name] : [],
    )
    expect(reserved.sort().join(' ')).toBe(
      'addPasskey beginPasskeySignIn changePassword countView deleteAccount login paymentCallback processMedia processPdfs ' +
        'register requestEmailChange searchAlerts signInWithFactor signInWithPasskey uploadKycDocument uploadMedia',
    )
  })

  it('has no address beside the gateway unless one is asked for', () => {
    expect(Object.values(packaged.resources).map(({ Type }) => Type)).not.toContain('AWS::Lambda::Url')
  })

  it('allows a function only the partitions that its stores declare, and what they do there', () => {
    const granted = (name: string) =>
      statementsOf(name).flatMap(({ Action, Condition }) => {
        const keys = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []
        return keys.length > 0 ? [`${Action.join()} ${keys.join()}`] : []
      })
    expect(granted('forgotPassword').join()).not.toMatch(/USER|EMAIL|SESSION|PAYMENT/)
    expect(granted('getProfile').join()).toMatch(/USER#/)
    expect(granted('getProfile').join()).not.toMatch(
      /\b(FACTORS|PASSKEY|PASSWORD|PAYOUT-ACCOUNT)#|PutItem|UpdateItem|DeleteItem/,
    )
    expect(granted('getListing').join()).not.toMatch(/REFUND|REFERENCE\b|PAYMENTS|(Put|Update|Delete)Item/)
    for (const name of ['processMedia', 'processPdfs']) {
      expect(granted(name).join()).not.toMatch(/USER|SESSION|PAYMENT|PAYOUT/)
      expect(JSON.stringify(statementsOf(name))).not.toContain('/public/')
    }
    expect(granted('searchListings').join()).not.toMatch(/PAYMENT|SESSION|EMAIL|PutItem/)
    for (const name of Object.keys(packaged.lambdas)) {
      const removals = granted(name).filter((line) => line.startsWith('dynamodb:DeleteItem'))
      expect(removals.join(), name).not.toMatch(/\b(EVENTS|ACTIONS|PAYMENT|CALLBACK)#/)
    }
  })

  it('allows only functions of an account to change it, and only those that check or set a password to read it', () => {
    const allowed = (name: string, partition: string): string[] =>
      statementsOf(name).flatMap(({ Action, Condition }) =>
        Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']?.includes(`${partition}#*`)
          ? Action.filter((action) => /Item$/.test(action)).map((action) => action.replace('dynamodb:', ''))
          : [],
      )
    const READS = ['GetItem', 'BatchGetItem', 'ConditionCheckItem']
    expect(allowed('paymentCallback', 'USER')).toEqual([])
    expect(allowed('paymentCallback', 'PAYOUT-ACCOUNT')).toEqual([])
    expect(allowed('createWebhook', 'USER')).toEqual(READS)
    expect(allowed('register', 'USER')).toContain('PutItem')
    // The search shows agents by their accounts, and may do no more than that.
    expect(allowed('searchListings', 'USER')).toEqual(READS)
    for (const partition of ['PASSWORD', 'FACTORS', 'PASSKEY', 'PAYOUT-ACCOUNT', 'EMAIL', 'SESSION']) {
      expect(allowed('searchListings', partition), partition).toEqual([])
      expect(allowed('listPaymentProviders', partition), partition).toEqual([])
    }
    expect(allowed('paymentCallback', 'PASSWORD')).toEqual([])
    const readers = Object.keys(packaged.lambdas).filter((name) => allowed(name, 'PASSWORD').length > 0)
    expect(readers.sort()).toEqual([
      'changePassword',
      'deleteAccount',
      'login',
      'register',
      'repeatErasures',
      'requestEmailChange',
      'resetPassword',
      'stepUp',
      'submitResetPasswordPage',
      'submitUndoEmailChangePage',
      'undoEmailChange',
    ])
  })

  it('allows only functions that send for private objects of a folder to read it', () => {
    const readersOf = (folder: string) =>
      Object.keys(packaged.lambdas)
        .filter((name) =>
          statementsOf(name).some(
            ({ Action, Resource }) =>
              Action.includes('s3:GetObject') &&
              [Resource].flat().some((resource) => arnOf(resource).endsWith(`Bucket.Arn}/${folder}/*`)),
          ),
        )
        .sort()
    expect(readersOf('documents')).toEqual(['getKycReview'])
    expect(readersOf('exports')).toEqual(['exportAccount', 'getStatement', 'listLedger'])
    expect(readersOf('public')).toEqual([])
    const showing = [
      'createUpload',
      'editListing',
      'getListing',
      'listOwnListings',
      'listQueuedListings',
      'listReportedListings',
      'moderateListing',
      'setAvailability',
      'submitListing',
      'updateMedia',
      'uploadMedia',
      'withdrawListing',
    ]
    expect(readersOf('originals')).toEqual(
      [...showing, 'expireUploads', 'processMedia', 'processPdfs'].sort(),
    )
    expect(readersOf('variants')).toEqual([...showing, 'followListings'].sort())
  })

  it('keeps the policy of each role within the 10,240 characters that IAM takes', () => {
    for (const name of Object.keys(packaged.lambdas)) {
      const { length } = JSON.stringify(statementsOf(name)).replaceAll(/\s/g, '')
      expect(length, `${name}, before its references have values`).toBeLessThan(9_000)
    }
  })

  it('allows every request to the table within partitions, and never to all of it', () => {
    for (const name of Object.keys(packaged.lambdas)) {
      for (const { Action, Condition } of statementsOf(name)) {
        if (!Action.some((action) => /^dynamodb:(\w+Item|Query)$/.test(action))) continue
        expect(
          Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']?.length,
          name,
        ).toBeGreaterThan(0)
      }
    }
  })

  it('allows a function what its variables call for, and no more', () => {
    const actionsOf = (name: string) => statementsOf(name).flatMap(({ Action }) => Action)
    const servicesOf = (name: string) =>
      [...new Set(actionsOf(name).map((action) => action.split(':')[0]))].sort()
    expect(servicesOf('health')).toEqual(['logs'])
    expect(servicesOf('getProfile')).toEqual(['dynamodb', 'logs'])
    expect(servicesOf('register')).toEqual(['dynamodb', 'kms', 'logs', 'ssm'])
    expect(servicesOf('paymentCallback')).toEqual(['dynamodb', 'kms', 'logs', 'secretsmanager'])
    expect(actionsOf('dispatchChanges')).toEqual(
      expect.arrayContaining(['sqs:SendMessage', 'dynamodb:GetRecords']),
    )
    expect(actionsOf('dispatchChanges')).not.toContain('dynamodb:PutItem')
    expect(servicesOf('publishEvents')).toEqual(['events', 'logs', 'sqs'])
    for (const name of Object.keys(packaged.lambdas)) expect(actionsOf(name).join(), name).not.toMatch(/\*/)
  })
})

/** An alarm names one metric by itself, or lists several. */
type AlarmProperties = Partial<AlarmedMetric> & {
  AlarmName: unknown
  Metrics?: { MetricStat?: { Metric: AlarmedMetric } }[]
  TreatMissingData: string
  AlarmActions: unknown
  OKActions: unknown
}
type AlarmedMetric = {
  Namespace: string
  MetricName: string
  Dimensions?: { Name: string; Value: unknown }[]
}

const ofType = (type: string) => Object.entries(packaged.resources).filter(([, { Type }]) => Type === type)

describe('the deployer', () => {
  it('may change resources of every service that the template has, through CloudFormation', async () => {
    const text = await readFile(new URL('../../../lib/deploy/deployer.yml', import.meta.url), 'utf8')
    const through = text.slice(text.indexOf('Sid: NamedByStage'), text.indexOf('Sid: OwnKey'))
    const types = [...new Set(Object.values(packaged.resources).map(({ Type }) => Type.split('::')[1] ?? ''))]
    expect(types.length).toBeGreaterThan(10)
    const prefixes: Record<string, string> = { ApiGatewayV2: 'apigateway', Cognito: 'cognito-idp' }
    const missing = types.filter((type) => !through.includes(` ${prefixes[type] ?? type.toLowerCase()}:`))
    expect(missing).toEqual([])
  })
})

describe('what holds data', () => {
  /** osls's own holds code, which is in the repository. */
  const buckets = () => ofType('AWS::S3::Bucket').filter(([id]) => id !== 'ServerlessDeploymentBucket')

  it('stays when its stack goes, or is to be replaced, but for one whose stack was never made', () => {
    const types = ['AWS::DynamoDB::Table', 'AWS::Cognito::UserPool', 'AWS::Logs::LogGroup']
    const kept = [...types.flatMap(ofType), ...buckets()]
    expect(kept.length).toBeGreaterThan(6)
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of kept)
      expect([DeletionPolicy, UpdateReplacePolicy], id).toEqual(['RetainExceptOnCreate', 'Retain'])
  })

  it('is named where the operator’s book tears a stage down, but for logs, which it asks for', () => {
    const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
    const [, named = ''] = /contains\(\[([^\]]+)\], LogicalResourceId\)/.exec(book) ?? []
    const kept = Object.entries(packaged.resources)
      .filter(
        ([, { Type, DeletionPolicy }]) =>
          DeletionPolicy?.startsWith('Retain') === true && Type !== 'AWS::Logs::LogGroup',
      )
      .map(([id]) => id)
    const ids = named.split(', ').map((id) => id.replaceAll("'", ''))
    // Of these, the last is there by a parameter alone.
    expect(ids.sort()).toEqual([...kept, 'DocumentsLogBucket'].sort())
  })

  it('cannot be deleted by mistake, and can be had back to any second of five weeks', () => {
    expect(packaged.resources['Table']?.Properties).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
      SSESpecification: { SSEEnabled: true },
    })
    expect(packaged.resources['ConsoleUserPool']?.Properties).toMatchObject({ DeletionProtection: 'ACTIVE' })
  })

  it('is encrypted, shut to the public, and read over TLS alone', () => {
    expect(buckets().length).toBeGreaterThan(2)
    const policies = ofType('AWS::S3::BucketPolicy').map(([, { Properties }]) => JSON.stringify(Properties))
    for (const [id, { Properties }] of buckets()) {
      expect(Properties, id).toMatchObject({
        BucketEncryption: expect.anything(),
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      })
      const own = policies.filter((policy) => policy.startsWith(`{"Bucket":{"Ref":"${id}"}`))
      expect(own.join(), id).toContain('"Condition":{"Bool":{"aws:SecureTransport":"false"}}')
    }
  })
})

describe('the alarms', () => {
  const alarms = () =>
    ofType('AWS::CloudWatch::Alarm').map(
      ([id, { Properties }]) => [id, Properties as AlarmProperties] as const,
    )
  const metrics = () =>
    alarms().flatMap(([, { Metrics = [], Namespace, MetricName, Dimensions }]): AlarmedMetric[] =>
      Namespace !== undefined && MetricName !== undefined
        ? [{ Namespace, MetricName, ...(Dimensions && { Dimensions }) }]
        : Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []),
    )
  const named = (dimension: string) =>
    metrics().flatMap(({ Dimensions = [] }) =>
      Dimensions.flatMap(({ Name, Value }) => (Name === dimension ? [Value] : [])),
    )

  it('watch all that can go wrong unseen', () => {
    expect(alarms().map(([id]) => id.replace(/\d*Alarm$/, ''))).toEqual(
      expect.arrayContaining([
        ...[
          'Gateway5xx',
          'Errors',
          'ErrorBudgetFast',
          'ErrorBudgetSlow',
          'SlowCallbacks',
          'FailingJobs',
          'Crashes',
          'Throttles',
          'OwnThrottles',
          'ColdStarts',
        ],
        ...[
          'TableThrottles',
          'SilentSchedules',
          'SilentDailySchedules',
          'MailFailed',
          'MailGivenUp',
          'MailDelay',
          'MailBounces',
          'MailComplaints',
        ],
        ...['StreamAge', 'QueueAge', 'DeadLetters', 'FailedRuns'],
        ...['LedgerFault', 'OldestDuePayment', 'OldestDueMail', 'RefusedSignatures', 'UnconfirmedCallbacks'],
      ]),
    )
  })

  it('are named by their stage, notify one topic, and take what was not measured for well, but for schedules', () => {
    const topic = [{ Ref: 'Alerts' }]
    for (const [id, { AlarmName, TreatMissingData, AlarmActions, OKActions }] of alarms()) {
      expect(AlarmName).toEqual({ 'Fn::Sub': `\${AWS::StackName}-${id.replace(/Alarm$/, '')}` })
      const missing = id.startsWith('Silent') ? 'breaching' : 'notBreaching'
      expect([TreatMissingData, AlarmActions, OKActions], id).toEqual([missing, topic, topic])
    }
  })

  it('watch every queue, every index and every schedule that there is', () => {
    const queues = ofType('AWS::SQS::Queue').map(([, { Properties }]) => Properties['QueueName'])
    expect(named('QueueName').sort()).toEqual(queues.sort())
    const indexes = packaged.resources['Table']?.Properties['GlobalSecondaryIndexes'] as {
      IndexName: string
    }[]
    expect([...new Set(named('GlobalSecondaryIndexName'))]).toEqual(indexes.map(({ IndexName }) => IndexName))
    const enabled = ofType('AWS::Events::Rule').filter(
      ([, { Properties }]) => Properties['State'] === 'ENABLED',
    )
    const watchedRules = named('RuleName').map((rule) => (rule as { Ref: string }).Ref)
    expect(watchedRules.sort()).toEqual(enabled.map(([id]) => id).sort())
    const reserved = Object.values(packaged.resources).filter(
      ({ Properties }) => Properties['ReservedConcurrentExecutions'] !== undefined,
    )
    expect(named('FunctionName')).toHaveLength(enabled.length + reserved.length + 1)
    for (const name of named('FunctionName'))
      expect(packaged.lambdas, `${name}`).toHaveProperty(`${name}`.replace('platform-api-dev-', ''))
  })

  it('and what else costs before the first request are counted in the operator’s book', () => {
    const own = metrics().flatMap(({ Namespace, MetricName }) =>
      Namespace.startsWith('PlatformApi') ? [MetricName] : [],
    )
    const polled = ofType('AWS::Lambda::EventSourceMapping').filter(
      ([, { Properties }]) => !('StartingPosition' in Properties),
    )
    const scheduled = (rate: string) =>
      ofType('AWS::Events::Rule').filter(
        ([, { Properties }]) =>
          Properties['State'] === 'ENABLED' && Properties['ScheduleExpression'] === rate,
      )
    const counts = {
      'metrics in alarms': metrics(),
      'metrics of our own': [...new Set(own)],
      'queues that Lambda asks': polled,
      'jobs every minute': scheduled('rate(1 minute)'),
      'jobs every five minutes': scheduled('rate(5 minutes)'),
      dashboards: ofType('AWS::CloudWatch::Dashboard'),
    }
    const book = readGuides().find(({ id }) => id === 'operating')?.markdown ?? ''
    for (const [what, counted] of Object.entries(counts))
      expect(book).toContain(`| ${what} | ${counted.length} | ${counted.length} × `)
  })

  it('stand on a dashboard, each of them with its description', () => {
    const [[, dashboard] = []] = ofType('AWS::CloudWatch::Dashboard')
    const body = dashboard?.Properties['DashboardBody'] as { 'Fn::Sub': string }
    expect(body['Fn::Sub']).toContain("SOURCE '${FunctionLogs}'")
    expect(body['Fn::Sub']).toContain("SOURCE '${AccessLogs}'")
    expect(body['Fn::Sub']).toContain('{PlatformApi,Stage,Provider} MetricName=')
    for (const { properties } of JSON.parse(body['Fn::Sub']).widgets) {
      const [, id = ''] = /^\$\{(\w+)\.Arn\}$/.exec(properties.annotations?.alarms[0]) ?? []
      if (id !== '') expect(properties.title, id).toBe(packaged.resources[id]?.Properties['AlarmDescription'])
    }
    const shown = [...body['Fn::Sub'].matchAll(/\$\{(\w+)\.Arn\}/g)].map(([, id]) => id)
    expect(shown.sort()).toEqual(
      alarms()
        .map(([id]) => id)
        .sort(),
    )
  })

  it('begin the dashboard with the service level: what is aimed at, and the rates at which a month’s failures burn', () => {
    const [[, dashboard] = []] = ofType('AWS::CloudWatch::Dashboard')
    const body = dashboard?.Properties['DashboardBody'] as { 'Fn::Sub': string }
    const [heading, ...widgets] = JSON.parse(body['Fn::Sub']).widgets
    expect(heading.properties.markdown).toMatch(/^# Service level\n99.9 %/)
    const first: string[] = widgets.slice(0, 6).map((widget: object) => JSON.stringify(widget))
    const aims = ['ErrorBudgetFast', 'ErrorBudgetSlow', 'SlowCallbacks', 'MailDelay', 'OldestDuePayment']
    for (const [index, aim] of aims.entries()) expect(first[index]).toContain(`\${${aim}Alarm.Arn}`)
    expect(first[5]).toContain('ProviderSuccess')
  })
})
