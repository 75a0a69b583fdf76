import { fakeClock } from '@pulse/testkit'
import { expect, test } from 'vitest'
import type { ApiTokenRow } from '../db/schema.ts'
import { createApiTokenTable } from './api-token-table.ts'

test('after its end no token is waited for, also one that is made later', async () => {
  const clock = fakeClock()
  const row = (id: string) => ({ id, token_hash: id, expires_at: clock.now() + 60_000 }) as ApiTokenRow
  const tokens = createApiTokenTable({
    store: {
      all: () => Promise.resolve([row('before')]),
      change: () => Promise.resolve(),
      used: () => Promise.resolve(),
      bound: () => Promise.resolve(),
    },
    clock,
    onEnded: () => {},
    onWrite: () => {},
  })
  await tokens.reload()
  expect(clock.pending()).toBe(1)
  tokens.stop()
  await tokens.change([], [row('later')])
  expect(clock.pending()).toBe(0)
})
