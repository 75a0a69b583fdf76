import { deleteHistory } from '@pulse/contract'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { AppError } from '../app-error.ts'
import type { Access } from '../auth/access.ts'
import { aCaller } from '../auth/fixtures.ts'
import { acceptsGzip, registerRoute, route } from './route.ts'

test.each([
  ['gzip', true],
  ['deflate, gzip;q=0.5, br', true],
  ['GZIP', true],
  ['gzip;q=0.001', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, br', false],
  ['br', false],
  [undefined, false],
])('Accept-Encoding %s: %s', (header, expected) => {
  expect(acceptsGzip({ headers: { ...(header !== undefined && { 'accept-encoding': header }) } })).toBe(
    expected,
  )
})

test('[S3] a right that ends while a process asks whether it still leads is over', async () => {
  const app = fastify()
  let [isEnded, handled] = [false, 0]
  const access = {
    toCall: async () => ({}),
    stillHolds() {
      if (isEnded) throw new AppError('authentication_required', 'Authentication required')
    },
  } as unknown as Access
  registerRoute(
    app,
    route(deleteHistory, () => {
      handled++
      return { success: true as const }
    }),
    {
      access,
      callerOf: () => aCaller(),
      record: async () => {},
      mask: undefined,
      led: { forwardOf: () => undefined, checkLead: async () => void (isEnded = true) },
    },
  )
  const { statusCode } = await app.inject({ method: 'DELETE', url: deleteHistory.path })
  expect([statusCode, handled]).toEqual([401, 0])
})
