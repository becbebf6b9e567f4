import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { expect, it } from 'vitest'
import { EVENT_BUS_PATH, eventBusRoutes } from '#lib/local/event-bus'
import { startGateway } from '#lib/local/gateway'

it('takes what the SDK puts on the bus, and shows it, newest first', async () => {
  const routes = eventBusRoutes(() => new Date('2026-11-20T17:00:00.000Z'))
  const gateway = await startGateway({ port: 0, functionsPort: 1, routes })
  const client = new EventBridgeClient({
    endpoint: `http://127.0.0.1:${gateway.port}${EVENT_BUS_PATH}`,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const entry = (id: number) => ({
    Source: 'trial',
    DetailType: 'user.registered',
    Detail: JSON.stringify({ id }),
  })
  const { Entries } = await client.send(new PutEventsCommand({ Entries: [entry(1), entry(2)] }))
  const shown = await fetch(`http://localhost:${gateway.port}/local/events`)

  expect(Entries).toEqual([{ EventId: expect.any(String) }, { EventId: expect.any(String) }])
  expect(await shown.json()).toEqual({
    items: [2, 1].map((id) => ({
      source: 'trial',
      type: 'user.registered',
      detail: { id },
      caughtAt: '2026-11-20T17:00:00.000Z',
    })),
  })
  client.destroy()
  await gateway.stop()
})
