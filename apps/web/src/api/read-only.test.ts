import { getAlertConfig, postAlertsActivate, postHistoryBackTest } from '@pulse/contract'
import { expect, test } from 'vitest'
import type { Api } from './client.ts'
import { readOnlyApi } from './read-only.ts'

function setup() {
  const sent: string[] = []
  const api = {
    call: async ({ path }: { path: string }) => void sent.push(path),
    send: async (url: string) => void sent.push(url),
  } as unknown as Api
  return { api: readOnlyApi(api), sent }
}

const reason = 'This is the past: nothing can be changed here.'

test('[M 3.4] in the past a call that changes something is refused before it is sent', async () => {
  const { api, sent } = setup()
  await expect(api.call(postAlertsActivate)).rejects.toThrow(reason)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    await expect(api.send('/api/x', { method })).rejects.toThrow(reason)
  expect(sent).toEqual([])
})

test('[M 3.4] reading works in the past, and so does a back-test, which changes nothing', async () => {
  const { api, sent } = setup()
  await api.call(getAlertConfig, { query: {} })
  await api.send('/api/health')
  await api.call(postHistoryBackTest, {} as never)
  expect(sent).toEqual([getAlertConfig.path, '/api/health', postHistoryBackTest.path])
})
