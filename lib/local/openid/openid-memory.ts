import type { AdapterFactory, AdapterPayload } from 'oidc-provider'

/** Keeps what the OpenID provider must remember for as long as the process lives. */
export function memoryAdapter(): AdapterFactory {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string) => `${model}:${id}`
    return {
      upsert: async (id, payload) => {
        kept.set(keyOf(id), payload)
      },
      find: async (id) => kept.get(keyOf(id)),
      findByUid: async (uid) =>
        [...kept].find(([key, payload]) => key.startsWith(keyOf('')) && payload.uid === uid)?.[1],
      // Only the device flow has user codes, and it is off.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        kept.set(keyOf(id), { ...kept.get(keyOf(id)), consumed: Math.floor(Date.now() / 1000) })
      },
      destroy: async (id) => {
        kept.delete(keyOf(id))
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
