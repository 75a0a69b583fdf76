import { deleteGuestMetadata, endpoint, getGuestsMetadata, postNode, putGuestMetadata } from '@pulse/contract'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createApi } from './client.ts'
import { createCredentials } from './credentials.ts'
import type { Requester } from './request.ts'

function setup(reply: unknown = null) {
  const calls: unknown[] = []
  const requester: Requester = {
    send: async () => new Response(),
    settled: async () => {},
    json: async (url, options) => {
      calls.push([url, options])
      return reply
    },
  }
  return { api: createApi(requester, createCredentials()), calls }
}

test('an endpoint without input needs no arguments', async () => {
  const { api, calls } = setup({})
  const reply: Record<string, { id: string }> = await api.call(getGuestsMetadata)
  expect(reply).toEqual({})
  expect(calls).toEqual([['/api/guests/metadata', { method: 'GET' }]])
})

test('parameters are escaped into the path, the body goes as JSON', async () => {
  const { api, calls } = setup()
  await api.call(putGuestMetadata, { params: { guestId: 'a/b c' }, body: { customUrl: 'https://x' } })
  expect(calls).toEqual([
    ['/api/guests/metadata/a%2Fb%20c', { method: 'PUT', json: { customUrl: 'https://x' } }],
  ])
})

test('an answer without a body is null', async () => {
  const { api } = setup()
  const reply: null = await api.call(deleteGuestMetadata, { params: { guestId: '1' } })
  expect(reply).toBeNull()
})

test('a query leaves out what is not set', async () => {
  const search = endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'user',
    rate: 'read',
    query: z.object({ text: z.string(), limit: z.optional(z.number()), page: z.optional(z.number()) }),
  })
  const { api, calls } = setup()
  await api.call(search, {
    query: { text: 'a&b', limit: 5, page: undefined } as { text: string; limit: number },
  })
  expect(calls).toEqual([['/api/search?text=a%26b&limit=5', { method: 'GET' }]])
})

test('the compiler asks for what the contract asks for', async () => {
  const { api } = setup()
  // @ts-expect-error params and body are missing
  await expect(api.call(putGuestMetadata)).rejects.toThrow('guestId')
  // @ts-expect-error a node needs a type
  void api.call(postNode, { body: { name: 'x' } })
})
