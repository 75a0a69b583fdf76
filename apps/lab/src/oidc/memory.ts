import type { Adapter, AdapterPayload } from 'oidc-provider'

/** What the provider remembers, as long as it runs. */
export function memoryAdapters(): (model: string) => Adapter {
  const entries = new Map<string, AdapterPayload>()
  return (model) => {
    const find = (matches: (entry: AdapterPayload) => boolean) =>
      Promise.resolve([...entries].find(([key, entry]) => key.startsWith(`${model}:`) && matches(entry))?.[1])
    return {
      async upsert(id, payload) {
        entries.set(`${model}:${id}`, payload)
      },
      find: (id) => Promise.resolve(entries.get(`${model}:${id}`)),
      findByUid: (uid) => find((entry) => entry.uid === uid),
      findByUserCode: (userCode) => find((entry) => entry.userCode === userCode),
      async consume(id) {
        const entry = entries.get(`${model}:${id}`)
        if (entry) entry.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        entries.delete(`${model}:${id}`)
      },
      async revokeByGrantId(grantId) {
        for (const [key, entry] of entries) if (entry.grantId === grantId) entries.delete(key)
      },
    }
  }
}
