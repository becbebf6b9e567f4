import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { expect, it } from 'vitest'
import { EVENT_BUS_PATH, eventBusRoute } from '#lib/local/events/event-bus'
import { startGateway } from '#lib/local/gateway/gateway'

it('says what the service announced, and takes it as EventBridge would', async () => {
  const lines: string[] = []
  const gateway = await startGateway({
    port: 0,
    functionsPort: 1,
    routes: [eventBusRoute((line) => lines.push(line))],
  })
  const client = new EventBridgeClient({ endpoint: `http://127.0.0.1:${gateway.port}${EVENT_BUS_PATH}` })
  const entry = {
    Source: 'platform-api.test',
    DetailType: 'user.registered',
    Resources: ['usr_1'],
    Detail: '{}',
  }
  const { FailedEntryCount, Entries } = await client.send(new PutEventsCommand({ Entries: [entry, entry] }))
  await gateway.stop()
  expect({ FailedEntryCount, accepted: Entries?.length, lines }).toEqual({
    FailedEntryCount: 0,
    accepted: 2,
    lines: ['user.registered usr_1', 'user.registered usr_1'],
  })
})
